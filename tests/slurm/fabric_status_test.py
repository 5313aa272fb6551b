"""`yardmaster fabric status`, `plan --live --what-if` and `explain --as` against real daemons."""

import json

import pytest

import conf

CLI = conf.find_built("yardmaster")


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster()  # stock Slurm: nobody places by hints


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


def yardmaster(cluster, *words, code=0):
    """What the command prints as JSON, ended with `code`."""
    done = cluster.try_command(CLI, *words, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def largest(status, hints):
    return next(job["nodes"] for job in status["largest_jobs"] if job["hints"] == hints)


def units(status, kind):
    return next(unit for unit in status["units"] if unit["kind"] == kind)


def test_empty_cluster_is_whole(cluster):
    status = yardmaster(cluster, "fabric", "status")
    assert status["nodes"]["free"] == status["nodes"]["all"] == 16
    assert units(status, "leaf group")["wholly_free"] == 4
    assert largest(status, "") == largest(status, "tp8") == 16


def test_jobs_and_drains_are_seen(cluster):
    leaf1, leaf2 = cluster.leaf("leaf1"), cluster.leaf("leaf2")
    cluster.occupy(leaf1[:2])
    cluster.occupy(leaf1[2], gpus=2)
    cluster.update(f"NodeName={leaf2[0]} State=DRAIN Reason=fan")
    try:
        status = yardmaster(cluster, "fabric", "status")
    finally:
        cluster.update(f"NodeName={leaf2[0]} State=RESUME")
    counts = status["nodes"]
    # The two nodes of the first job have CPUs to spare, so Slurm calls them mixed as well.
    assert counts["part_used"] + counts["busy"] == 3
    assert (counts["free"], counts["drained"], counts["down"]) == (12, 1, 0)
    assert units(status, "leaf group")["wholly_free"] == 2
    assert largest(status, "tp8") == 12


def test_better_set_and_who_holds_it(cluster):
    holders = {name: cluster.occupy(cluster.leaf(name)[0])
               for name in ("leaf1", "leaf2", "leaf3", "leaf4")}
    fabric = cluster.conf.etc / "fabric.json"
    answer = yardmaster(cluster, "plan", fabric, "-N4", "-g8", "--hints=tp8", "--live", "--what-if")
    assert answer["placed"] and not answer["as_good"]
    (obstacle,) = answer["in_the_way"]
    (node,) = obstacle["nodes"]
    assert obstacle["what"].startswith(f"job {holders[cluster.shape.leaf_of(node)]} \"occupy\" of ")


def test_job_of_stock_slurm_is_judged_by_hints(cluster):
    nodes = [cluster.leaf(name)[0] for name in ("leaf1", "leaf2", "leaf3", "leaf4")]
    job = cluster.occupy(nodes)
    told = yardmaster(cluster, "explain", job, "--as", "tp8&pp2")
    assert told["judged_as"] == "tp8&pp2" and told["receipt"] is None
    assert told["got"]["facts"]["groups"]["dp"]["count"] == 16
    assert told["slowdown"] > 1
    assert any("--constraint='tp8&pp2'" in wish for wish in told["improvements"])
