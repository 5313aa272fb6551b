"""Many submissions at the same moment: 24.11 runs job_submit plugins concurrently."""

import collections
import os
import subprocess

import pytest

import shape as shapes
import slurm_text

JOBS = 200
HINTS = ("tp8", "tp4", "tp2&pp1", "leaf", "rail", "")  # one job after the other
# All at once, and not one after the other as a Python loop would start them.
SUBMIT_ALL = """
for number in $(seq 0 $((COUNT - 1))); do
    hint=$(cut -d' ' -f$((number % KINDS + 1)) <<<"$KINDS_OF_HINTS")
    sbatch --parsable --job-name="job$number" -N1 --gpus-per-node=8 ${hint:+--constraint="$hint"} \
        --wrap 'sleep 600' &
done
wait
"""


@pytest.fixture(scope="module")
def cluster(new_cluster):
    """Room for all of them; without slurmds, so that the machine's time goes into slurmctld."""
    return new_cluster(shapes.large(JOBS + 24), plugin=True, cloud=True,
                       extra=("MessageTimeout=60",))


def submit_all(cluster):
    """The numbers of the jobs that sbatch says it has submitted."""
    done = subprocess.run(
        ["bash", "-c", SUBMIT_ALL], cwd=cluster.directory / "jobs", text=True, check=True,
        capture_output=True, timeout=300,
        env={**os.environ, **cluster.env(), "COUNT": str(JOBS), "KINDS": str(len(HINTS)),
             "KINDS_OF_HINTS": " ".join(HINTS)})
    assert not done.stderr
    return [int(line) for line in done.stdout.split()]


def test_no_submission_and_no_hint_is_lost(cluster):
    jobs = submit_all(cluster)
    assert len(set(jobs)) == JOBS
    cluster.wait_for(lambda: "PENDING" not in cluster.queue().values(), 120, "every job to start")
    records = slurm_text.parse_records(cluster.command("scontrol", "show", "job", "-d"))
    assert sorted(int(record["JobId"]) for record in records) == sorted(jobs)
    for record in records:
        hint = HINTS[int(record["JobName"].removeprefix("job")) % len(HINTS)]
        assert f" hints={hint or '-'} " in record["AdminComment"], record
        assert record["Features"] == "(null)", record
    used = collections.Counter(record["NodeList"] for record in records)
    assert set(used.values()) == {1}
    assert cluster.ctld_pid() is not None
