"""The prolog under real slurmds: what it drains, what it leaves alone, what becomes of the job.

The nodes' hardware is simulated (sysfs trees and a fake libnvidia-ml); daemons and prolog are real.
"""

import json
import signal
import time

import pytest

import conf

# A requeued job's output file starts anew, so a script that must not run leaves a mark of its own.
RAN = "echo ran | tee -a ran-$SLURM_JOB_ID; sleep 600"
FAULT = ("set-rate", "mlx5_3", 100)
REASON = "ym mlx5_3 100/400Gb"


def prolog_cluster(new_cluster, **options):
    program = conf.find_built("yardmaster-prolog")
    assert program, "yardmaster-prolog is not built"
    return new_cluster(plugin=True, sim=True, prolog=str(program), **options)


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return prolog_cluster(new_cluster)


@pytest.fixture(scope="module")
def holding(new_cluster):
    """Without nohold_on_prolog_fail, as Slurm comes."""
    return prolog_cluster(new_cluster, nohold=False)


def ran(cluster, job):
    """Whether the script RAN of `job` has ever begun."""
    return (cluster.directory / "jobs" / f"ran-{job}").exists()


def all_idle(cluster):
    """Resumes what is drained: slurmd may report a failed prolog after the first resume."""
    for node in cluster.drained():
        cluster.resume(node)
    return set(cluster.node_states().values()) == {"idle"}


@pytest.fixture(autouse=True)
def as_new(request):
    yield
    for name in ("cluster", "holding"):
        if name in request.fixturenames:
            cluster = request.getfixturevalue(name)
            if cluster.ctld_pid() is None:
                cluster.start_ctld()
            cluster.cancel_all()
            cluster.heal_all()
            cluster.wait_for(lambda c=cluster: all_idle(c), 30, "idle nodes")


def damaged(cluster):
    """A node with a slow rail, and a healthy one beside it in its leaf group."""
    bad, good = cluster.leaf("leaf1")[:2]
    cluster.sim(bad, *FAULT)
    return bad, good


def damaged_slowly(cluster, seconds):
    """As damaged(), but the fault is a lost GPU, which is seen only after NVML has hung so long.

    A slow rail would be certain at once, and the prolog would not wait for NVML.
    """
    bad, good = cluster.leaf("leaf1")[:2]
    cluster.sim(bad, "gpu-lost", 2)
    cluster.sim(bad, "hang", seconds)
    return bad, good


def evidence(cluster, node):
    """The node's evidence bundles, the newest last."""
    files = (cluster.directory / "evidence" / node).glob("*.json")
    return [json.loads(path.read_text())
            for path in sorted(files, key=lambda path: path.stat().st_mtime_ns)]


def steer_to(cluster, *nodes):
    """Fills every other node, so that the next job can only get these."""
    return cluster.occupy([node for node in cluster.shape.nodes if node not in nodes])


def test_healthy_job_starts_and_nothing_is_drained(cluster):
    job = cluster.sbatch("-N16 --gpus-per-node=8 --constraint=tp8", script="echo ran")
    cluster.wait_ended(job)
    assert cluster.output(job) == "ran\n" and cluster.drained() == {}


def test_batch_job_moves_to_healthy_nodes_by_itself(cluster):
    bad, good = damaged(cluster)
    filler = steer_to(cluster, bad, good)
    job = cluster.sbatch("-N2 --gpus-per-node=8 --constraint=tp8", script=RAN)
    cluster.wait_for(lambda: bad in cluster.drained(), 20, "the drain")
    assert cluster.drained()[bad].startswith(REASON)
    cluster.wait_for(lambda: cluster.restarts(job) == 1, 20, "the requeue")
    assert not ran(cluster, job)
    assert cluster.state(job) == "PENDING"
    cluster.cancel(filler)
    cluster.wait_running(job, timeout=150)  # a requeued job rests for a while
    assert bad not in cluster.nodes_of(job)
    cluster.wait_for(lambda: ran(cluster, job), 20, "the script")
    found = evidence(cluster, bad)[-1]
    assert found["verdict"] == "degraded" and "simulated" in json.dumps(found).lower()


def test_script_never_starts_when_the_bad_node_answers_last(cluster):
    bad, good = damaged_slowly(cluster, 1)  # its prolog ends a second after the other's
    steer_to(cluster, bad, good)
    job = cluster.sbatch("-N2 --gpus-per-node=8", script=RAN)
    cluster.wait_for(lambda: bad in cluster.drained(), 20, "the drain")
    cluster.wait_for(lambda: cluster.restarts(job) == 1, 20, "the requeue")
    time.sleep(2)
    assert not ran(cluster, job)
    # The script can start after slurmd has reported the prolog's end: by then the job must be gone.
    told = [line for line in cluster.log().splitlines() if line.endswith(f"JobId={job}") and
            ("Requeuing" in line or "Prolog launch failure" in line)]
    assert "Requeuing" in told[0]


def test_reason_in_sinfo_fits_twenty_characters(cluster):
    bad, _ = damaged(cluster)
    cluster.sbatch(f"-N1 --gpus-per-node=8 --nodelist={bad}")
    cluster.wait_for(lambda: bad in cluster.drained(), 20, "the drain")
    shown = cluster.command("sinfo", "-h", "-R").split("  ")[0].strip()
    assert shown == REASON and len(REASON) <= 20


def test_job_that_may_not_be_requeued_is_cancelled(cluster):
    bad, good = damaged(cluster)
    steer_to(cluster, bad, good)
    job = cluster.sbatch("-N2 --gpus-per-node=8 --no-requeue", script=RAN)
    cluster.wait_ended(job)
    assert not ran(cluster, job)
    assert cluster.state(job) == "CANCELLED" and cluster.drained()[bad].startswith(REASON)


@pytest.mark.parametrize("command", [
    ["srun", "-N2", "--gpus-per-node=8", "echo", "ran"],
    ["salloc", "-N2", "--gpus-per-node=8", "srun", "echo", "ran"],
])
def test_interactive_job_ends_without_running(cluster, command):
    bad, good = damaged(cluster)
    steer_to(cluster, bad, good)
    done = cluster.try_command(*command, timeout=60)
    assert done.returncode != 0 and "ran" not in done.stdout
    assert cluster.drained()[bad].startswith(REASON)
    assert good not in cluster.drained()


def test_array_task_is_requeued_alone(cluster):
    bad, good = damaged(cluster)
    steer_to(cluster, bad, good)
    array = cluster.sbatch("-N1 --gpus-per-node=8 --array=0-1", script="echo $SLURMD_NODENAME; "
                           "sleep 600")
    cluster.wait_for(lambda: bad in cluster.drained(), 20, "the drain")
    cluster.wait_for(lambda: sorted(task["JobState"] for task in cluster.job_tasks(array)) ==
                     ["PENDING", "RUNNING"], 20, "one task running, one back in the queue")
    running = next(t for t in cluster.job_tasks(array) if t["JobState"] == "RUNNING")
    assert running["NodeList"] == good


def test_het_job_does_not_run_in_part(cluster):
    bad, good = damaged(cluster)
    steer_to(cluster, bad, good)
    done = cluster.command("sbatch", "--parsable", "-N1", "--gpus-per-node=8", ":", "-N1",
                           "--gpus-per-node=8", "--wrap", RAN)
    job = int(done.split(";")[0])
    cluster.wait_for(lambda: bad in cluster.drained(), 20, "the drain")
    cluster.wait_for(lambda: all(part["JobState"] != "RUNNING" for part in cluster.job_tasks(job)),
                     30, "no part to run")
    assert not ran(cluster, job)


def test_stock_setting_holds_the_requeued_job(holding):
    bad, good = damaged(holding)
    steer_to(holding, bad, good)
    job = holding.sbatch("-N2 --gpus-per-node=8", script=RAN)
    holding.wait_for(lambda: bad in holding.drained(), 20, "the drain")
    holding.wait_for(lambda: holding.show_job(job)["Priority"] == "0", 20, "the hold")
    assert not ran(holding, job) and holding.drained()[bad].startswith(REASON)


def test_gpu_fault_names_the_gpu(cluster):
    bad = cluster.leaf("leaf2")[0]
    cluster.sim(bad, "nvlink-down", 4, "all")
    cluster.sbatch(f"-N1 --gpus-per-node=8 --nodelist={bad}")
    cluster.wait_for(lambda: bad in cluster.drained(), 20, "the drain")
    assert cluster.drained()[bad].startswith("ym GPU4 NVLink")


def test_only_the_rails_of_this_job_count(cluster):
    bad, _ = damaged(cluster)
    job = cluster.sbatch(f"-N1 --gpus-per-node=2 --nodelist={bad}", script="echo ran")
    cluster.wait_ended(job)  # GPUs 0 and 1 leave through mlx5_0 and mlx5_1
    assert cluster.output(job) == "ran\n" and cluster.drained() == {}


def test_job_without_gpus_is_not_checked(cluster):
    bad, _ = damaged(cluster)
    job = cluster.sbatch(f"-N1 --nodelist={bad}", script="echo ran")
    cluster.wait_ended(job)
    assert cluster.output(job) == "ran\n" and cluster.drained() == {}


def test_drain_of_an_admin_during_the_check_is_kept(cluster):
    bad, _ = damaged_slowly(cluster, 3)  # time for the admin
    job = cluster.sbatch(f"-N1 --gpus-per-node=8 --nodelist={bad}", script=RAN)
    cluster.wait_for(lambda: cluster.state(job) == "RUNNING", 20, "the prolog")
    cluster.drain(bad, "replacing a fan")
    cluster.wait_for(lambda: cluster.restarts(job) == 1, 20, "the requeue")
    time.sleep(2)
    assert cluster.drained()[bad] == "replacing a fan"
    assert evidence(cluster, bad)[-1]["action"]["outcome"] == "left-alone"
    assert not ran(cluster, job)


def test_hung_check_costs_a_bounded_time_and_no_drain(cluster):
    node = cluster.leaf("leaf3")[0]
    cluster.sim(node, "hang", 120)
    job = cluster.sbatch(f"-N1 --gpus-per-node=8 --nodelist={node}", script="echo ran")
    cluster.wait_ended(job, timeout=40)
    assert cluster.output(job) == "ran\n" and cluster.drained() == {}
    assert evidence(cluster, node)[-1]["verdict"] == "unknown"


def test_eight_small_jobs_at_once_drain_nothing(cluster):
    node = cluster.leaf("leaf4")[0]
    jobs = [cluster.sbatch(f"-N1 --gpus-per-node=1 --nodelist={node}", script="echo ran")
            for _ in range(8)]
    for job in jobs:
        cluster.wait_ended(job)
        assert cluster.output(job) == "ran\n"
    assert cluster.drained() == {}


def test_breaker_stops_a_fault_that_is_everywhere(cluster):
    for node in cluster.shape.nodes:
        cluster.sim(node, *FAULT)
    first = [cluster.sbatch("-N8 --gpus-per-node=8 --constraint=tp8", script="echo ran"),
             cluster.sbatch("-N4 --gpus-per-node=8", script="echo ran")]
    cluster.wait_for(cluster.drained, 20, "the first drains")
    later = [cluster.sbatch("-N4 --gpus-per-node=8", script="echo ran") for _ in range(2)]
    for job in first + later:  # what is left of the cluster keeps serving, the requeued jobs too
        cluster.wait_ended(job, timeout=60)
        assert cluster.output(job) == "ran\n"
    drained = cluster.drained()
    assert 1 <= len(drained) <= 4
    assert all(reason.startswith(REASON) for reason in drained.values())


def test_slurmctld_stopped_during_the_check(cluster):
    """The prolog ends in time without the controller, and the job it could not refuse runs on."""
    bad, _ = damaged_slowly(cluster, 4)
    before = len(evidence(cluster, bad))
    job = cluster.sbatch(f"-N1 --gpus-per-node=8 --nodelist={bad}", script="sleep 600")
    cluster.wait_for(lambda: cluster.state(job) == "RUNNING", 20, "the prolog")
    time.sleep(1.5)  # the prolog has begun and hangs for 4 s
    cluster.kill_ctld(signal.SIGTERM)  # which saves its state
    cluster.wait_for(lambda: len(evidence(cluster, bad)) > before and
                     evidence(cluster, bad)[-1]["action"]["outcome"] == "unreachable", 20,
                     "the evidence")
    cluster.start_ctld()
    cluster.wait_for(cluster.all_nodes_up, 60, "the nodes")
    assert cluster.drained() == {}
    assert cluster.state(job) == "RUNNING"
