"""Every part of the product once, from sbatch to a drained node.

With YM_INSTALLED=1 the parts are those of our installed packages, and slurm.conf has the lines of their
example.
"""

import glob
import json

import pytest

import conf
import shape as shapes

EXAMPLE = "/usr/share/doc/yardmaster-controller-slurm*/examples/slurm.conf"


def example_lines():
    """What the controller package tells admins to write, less what joins words of the harness."""
    text = open(glob.glob(EXAMPLE)[0], encoding="utf-8").read()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(line for line in lines if not line.startswith("SchedulerParameters="))


@pytest.fixture(scope="module")
def cluster(new_cluster):
    prolog = conf.find_built("yardmaster-prolog")
    assert prolog, "yardmaster-prolog is neither built nor installed"
    extra = example_lines() if conf.installed() else ()
    return new_cluster(shapes.servers(size=2), plugin=True, sim=True, prolog=str(prolog), extra=extra)


@pytest.fixture(scope="module")
def moved(cluster):
    """(job, bad node): a job that met a slow rail on the first of the two nodes it could get."""
    filler = cluster.occupy(cluster.leaf("leaf2") + cluster.shape.pod("pod2"))
    bad = cluster.leaf("leaf1")[0]
    cluster.sim(bad, "set-rate", "mlx5_3", 100)
    job = cluster.sbatch("-N2 --gpus-per-node=8 --constraint=tp8")
    cluster.wait_for(lambda: bad in cluster.drained(), 30, "the drain")
    cluster.wait_for(lambda: cluster.restarts(job) == 1, 30, "the requeue")
    cluster.cancel(filler)
    cluster.wait_running(job, timeout=150)  # a requeued job rests for a while
    return job, bad


def yardmaster(cluster, *words, findings=False):
    """What `yardmaster` prints; its exit status is 1 when it has something to report."""
    done = cluster.try_command(conf.find_built("yardmaster"), *words)
    assert done.returncode == int(findings), done.stdout + done.stderr
    return done.stdout


def test_degraded_node_is_drained_with_its_reason(cluster, moved):
    _, bad = moved
    assert list(cluster.drained()) == [bad]
    assert cluster.drained()[bad].startswith("ym mlx5_3 100/400Gb")
    told = yardmaster(cluster, "drains", findings=True)
    assert bad in told and "1 node drained by Yardmaster" in told


def test_job_runs_elsewhere_under_one_leaf(cluster, moved):
    job, bad = moved
    nodes = cluster.nodes_of(job)
    assert bad not in nodes and len(cluster.leaf_groups_of(job)) == 1


def test_receipt_tells_who_placed_the_job(cluster, moved):
    job, _ = moved
    assert cluster.show_job(job)["AdminComment"].startswith("yardmaster: by=yardmaster")
    told = yardmaster(cluster, "explain", job)
    assert "Chosen by: Yardmaster" in told and "Hints: tp8" in told


def test_evidence_says_what_the_prolog_saw(cluster, moved):
    job, bad = moved
    found = [json.loads(path.read_text())
             for path in (cluster.directory / "evidence" / bad).glob("*.json")]
    assert [(bundle["job"], bundle["verdict"]) for bundle in found] == [(job, "degraded")]
