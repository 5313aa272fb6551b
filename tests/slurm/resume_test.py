"""From a drain back into service: passive checks, re-checks and resumes beside a real slurmctld."""

import time

import pytest

import conf
import shape

FAULT = ("set-rate", "mlx5_3", 100)
REASON = "ym mlx5_3 100/400Gb"


@pytest.fixture(scope="module")
def cluster(new_cluster):
    program = conf.find_built("yardmaster-prolog")
    assert program, "yardmaster-prolog is not built"
    return new_cluster(shape.servers(pods=1, leaves=1, size=2), sim=True, prolog=str(program))


@pytest.fixture
def node(cluster):
    """A healthy node in service, before and after."""
    name = cluster.shape.nodes[0]
    yield name
    cluster.heal_all()
    if name in cluster.drained():
        cluster.resume(name)


def passive(cluster, node):
    """The whole node's passive checks, as slurmd's HealthCheckProgram of that node."""
    return cluster.try_command(conf.find_built("yardmaster-prolog"), "--passive",
                               env={"SLURMD_NODENAME": node})


def yardmaster(cluster, node, *words):
    return cluster.try_command(conf.find_built("yardmaster"), *words,
                               env={"SLURMD_NODENAME": node})


def drained(cluster, node):
    """Drains the node by a passive check of ours, and repairs it."""
    cluster.sim(node, *FAULT)
    done = passive(cluster, node)
    assert done.returncode == 0, done.stderr
    assert cluster.drained()[node].startswith(f"{REASON} job 0 ev {node}-0-")
    cluster.heal_all()
    time.sleep(1.1)  # a re-check must be later than the drain, in whole seconds


def test_own_drain_is_resumed_after_a_passing_recheck(cluster, node):
    drained(cluster, node)
    refused = yardmaster(cluster, node, "resume", node)
    assert refused.returncode == 1 and "not been re-checked" in refused.stderr
    assert yardmaster(cluster, node, "recheck", node).returncode == 0
    done = yardmaster(cluster, node, "resume", node)
    assert done.returncode == 0, done.stderr
    assert cluster.drained() == {}
    assert "DRAIN" not in cluster.show_node(node)["State"]  # 24.11 leaves the reason of an undrained node
    job = cluster.sbatch(f"-N1 --gpus-per-node=8 --nodelist={node}", script="echo ran")
    cluster.wait_ended(job)
    assert cluster.output(job) == "ran\n"
    counted = yardmaster(cluster, node, "journal")
    assert "1 drain, 1 re-check (1 healthy), 1 resume" in counted.stdout


def test_drain_of_an_admin_is_never_resumed(cluster, node):
    cluster.drain(node, "replacing a fan")
    time.sleep(1.1)
    assert yardmaster(cluster, node, "recheck", node).returncode == 0
    done = yardmaster(cluster, node, "resume", node)
    assert done.returncode == 1 and "replacing a fan" in done.stderr
    assert cluster.drained()[node] == "replacing a fan"


def test_passive_check_leaves_an_admins_drain_and_running_jobs_alone(cluster, node):
    job = cluster.sbatch(f"-N1 --gpus-per-node=8 --nodelist={node}")
    cluster.wait_running(job)
    cluster.drain(node, "replacing a fan")
    cluster.sim(node, *FAULT)
    assert passive(cluster, node).returncode == 0
    assert cluster.drained()[node] == "replacing a fan"
    cluster.resume(node)
    assert passive(cluster, node).returncode == 0  # the fault is still there
    assert cluster.drained()[node].startswith(REASON)
    assert cluster.state(job) == "RUNNING"
    cluster.cancel(job)
