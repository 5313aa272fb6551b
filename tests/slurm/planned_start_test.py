"""What Slurm promises before a job starts: planned starts, --test-only, --immediate."""

import re
import time

import pytest

import shape as shapes
import slurm_text


@pytest.fixture(scope="module")
def cluster(new_cluster):
    """Three racks of two nodes with four GPUs: a tp8 group is a whole rack."""
    return new_cluster(shapes.nvl72(racks=3, present=2), plugin=True)


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


TP8 = "-N2 --gpus-per-node=4 --constraint=tp8"
PLAIN = "-N2 --gpus-per-node=4"
STEP = 1  # seconds that Slurm may round a time by


def seconds(text):
    """A time as Slurm prints it, in seconds since the epoch."""
    return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))


def end_of(cluster, job):
    return seconds(cluster.show_job(job)["EndTime"])


def hold_a_node_of_each_rack(cluster):
    """Jobs on one node of every rack; the first shall end long before the others, and ends when
    let_go() says. Three nodes are free, but no rack."""
    later = [cluster.occupy(cluster.leaf(leaf)[:1], options=f"--time={minutes}")
             for leaf, minutes in (("leaf1", 20), ("leaf3", 30))]
    first = cluster.sbatch(f"-N1 --gpus-per-node=4 -w {cluster.leaf('leaf2')[0]} --time=8",
                           script="until [ -e gone-$SLURM_JOB_ID ]; do sleep 0.2; done")
    return cluster.wait_running(first), later


def let_go(cluster, job):
    (cluster.directory / "jobs" / f"gone-{job}").touch()


def planned(cluster, job):
    """(start, nodes) as `squeue --start` shows them; None when it shows none."""
    line = cluster.command("squeue", "--start", "-h", "-j", job, "-o", "%S %Y").split()
    return None if line[0] == "N/A" else (seconds(line[0]), sorted(slurm_text.expand(line[1])))


def test_tp8_without_a_rack_waits_as_planned_and_plain_jobs_pass(cluster):
    first, later = hold_a_node_of_each_rack(cluster)
    job = cluster.sbatch(f"{TP8} --time=5")
    start, nodes = cluster.wait_for(lambda: planned(cluster, job), 30, "a planned start")
    assert nodes == sorted(cluster.leaf("leaf2"))
    assert abs(start - end_of(cluster, first)) <= STEP
    plain = cluster.wait_running(cluster.sbatch(f"{PLAIN} --time=15"))  # longer than until `start`
    assert not set(cluster.nodes_of(plain)) & set(nodes)
    assert cluster.state(job) == "PENDING"
    ends = int(time.time()) + 10
    cluster.update(f"JobId={first} EndTime={time.strftime('%FT%T', time.localtime(ends))}")
    cluster.wait_for(lambda: abs(planned(cluster, job)[0] - ends) <= STEP, 9, "the plan to follow")
    while time.time() < ends:
        assert cluster.state(job) == "PENDING"
        time.sleep(0.5)
    let_go(cluster, first)
    cluster.wait_running(job, timeout=60)
    assert sorted(cluster.nodes_of(job)) == nodes
    # With the end that it waited for, and no other.
    assert seconds(cluster.show_job(job)["StartTime"]) >= end_of(cluster, first) >= ends
    assert all(cluster.state(other) == "RUNNING" for other in [*later, plain])


def test_only(cluster, *command):
    """(start, nodes) that `sbatch --test-only` or `srun --test-only` promises."""
    said = cluster.try_command(*command)
    assert said.returncode == 0, said.stderr
    when, where = re.search(r"to start at (\S+) using .* on nodes (\S+)", said.stderr).groups()
    return seconds(when), sorted(slurm_text.expand(where))


test_only.__test__ = False  # a helper, whatever its name


@pytest.mark.parametrize("command, options", [("sbatch", TP8), ("srun", TP8), ("sbatch", PLAIN)])
def test_test_only_names_the_nodes_of_the_real_job(cluster, command, options):
    cluster.occupy(cluster.leaf("leaf1")[:1])
    script = ["--wrap", "true"] if command == "sbatch" else ["true"]
    start, nodes = test_only(cluster, command, "--test-only", *options.split(), *script)
    job = cluster.wait_running(cluster.sbatch(options))
    assert sorted(cluster.nodes_of(job)) == nodes
    assert start <= seconds(cluster.show_job(job)["StartTime"])


def test_test_only_agrees_with_the_plan_of_a_job_that_must_wait(cluster):
    first, _ = hold_a_node_of_each_rack(cluster)
    for command in (("sbatch", "--wrap=true"), ("srun", "true")):
        start, nodes = test_only(cluster, command[0], "--test-only", *TP8.split(), "--time=5",
                                 command[1])
        assert nodes == sorted(cluster.leaf("leaf2"))
        assert abs(start - end_of(cluster, first)) <= STEP
    job = cluster.sbatch(f"{TP8} --time=5")
    plan = cluster.wait_for(lambda: planned(cluster, job), 30, "a planned start")
    assert abs(plan[0] - start) <= STEP and plan[1] == nodes


def test_immediate_fails_where_the_job_would_wait(cluster):
    hold_a_node_of_each_rack(cluster)
    assert cluster.try_command("srun", "-I", *PLAIN.split(), "true").returncode == 0
    assert cluster.try_command("srun", "-I", *TP8.split(), "true").returncode != 0
    assert not [job for job, state in cluster.queue().items() if state == "PENDING"]
