"""yardmaster-healthcheck, called by real slurmds between jobs and after them."""

import json
import os
import pathlib

import pytest

import conf
import shape

HEALTH_CHECK = "yardmaster-healthcheck"
FAULT = ("port-down", "mlx5_3")
REASON = "ym mlx5_3 down"


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster(shape.servers(pods=1, leaves=1, size=2), sim=True)


@pytest.fixture(scope="module")
def script(cluster):
    """The script beside the prolog, as it is installed."""
    if conf.installed():
        return conf.find_built(HEALTH_CHECK)
    program = conf.find_built("yardmaster-prolog")
    assert program, "yardmaster-prolog is not built"
    folder = cluster.directory / "libexec"
    folder.mkdir()
    source = pathlib.Path(__file__).resolve().parents[2] / "prolog" / HEALTH_CHECK
    os.symlink(source, folder / HEALTH_CHECK)
    os.symlink(program, folder / program.name)
    return folder / HEALTH_CHECK


@pytest.fixture
def nodes(cluster):
    """One that gets a fault and one that stays healthy."""
    yield cluster.shape.nodes
    use(cluster)
    cluster.heal_all()
    for node in cluster.drained():
        cluster.resume(node)


def use(cluster, *lines):
    cluster.options.extra = lines
    cluster.write_conf()
    cluster.reconfigure()


def evidence(cluster, node):
    return [json.loads(path.read_text())
            for path in (cluster.directory / "evidence" / node).glob("*.json")]


def calls(cluster, node):
    """How often slurmd has called the health check of the node."""
    told = cluster.directory / f"calls-{node}"
    return len(told.read_text().splitlines()) if told.exists() else 0


def wait_checked(cluster, *nodes):
    """Waits for a check of each that begins after now, and has ended: slurmd runs one at a time."""
    last = {node: calls(cluster, node) for node in nodes}
    cluster.wait_for(lambda: all(calls(cluster, node) >= last[node] + 2 for node in nodes), 30,
                     "two more health checks")


def test_port_that_goes_down_between_jobs_drains_its_node(cluster, script, nodes):
    bad, good = nodes
    wrapper = cluster.directory / "health-check"  # slurmd does not tell it where slurm.conf is
    wrapper.write_text(f"#!/bin/sh\necho >> {cluster.directory}/calls-$SLURMD_NODENAME\n"
                       f"SLURM_CONF={cluster.conf.etc}/slurm.conf exec {script}\n")
    wrapper.chmod(0o755)
    use(cluster, f"HealthCheckProgram={wrapper}", "HealthCheckInterval=1",
        "HealthCheckNodeState=ANY")
    wait_checked(cluster, bad, good)
    assert cluster.drained() == {}
    cluster.sim(bad, *FAULT)
    cluster.wait_for(lambda: bad in cluster.drained(), 30, "the drain")
    assert cluster.drained()[bad].startswith(f"{REASON} job 0 ev {bad}-0-")
    wait_checked(cluster, bad, good)
    assert list(cluster.drained()) == [bad]
    assert evidence(cluster, good) == []
    assert [bundle["occasion"] for bundle in evidence(cluster, bad)] == ["passive"], \
        "it is checked on, and tells the same once"


def test_epilog_drains_the_node_and_leaves_the_job_alone(cluster, script, nodes):
    bad, good = nodes
    use(cluster, f"Epilog={script}")
    job = cluster.sbatch("-N2 --gpus-per-node=8", script="sleep 600")
    cluster.wait_running(job)
    cluster.sim(bad, *FAULT)
    cluster.cancel(job)
    cluster.wait_for(lambda: bad in cluster.drained(), 30, "the drain")
    assert cluster.drained()[bad].startswith(f"{REASON} job {job} ev {bad}-{job}-")
    cluster.wait_for(lambda: cluster.node_states()[good] == "idle", 30, "the end of the epilogs")
    assert list(cluster.drained()) == [bad]
