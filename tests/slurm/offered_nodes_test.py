"""Nodes that a user names, excludes or has reserved: jobs lie where they must and nowhere else."""

import contextlib

import pytest

import shape as shapes

HINTS = ("", "tp8", "leaf")


@pytest.fixture(scope="module")
def cluster(new_cluster):
    """Four leaf groups of two nodes in two pods; without slurmds, which have no say in this."""
    cluster = new_cluster(shapes.servers(2, 2, 2), plugin=True, cloud=True)
    cluster.cancel(cluster.occupy(cluster.shape.nodes))  # none sleeps any more: all weigh the same
    return cluster


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


def pair(cluster, *leaves):
    """The first node of each of these leaf groups."""
    return sorted(cluster.leaf(leaf)[0] for leaf in leaves)


def options(size, hint, *more):
    words = [f"-N{size}", "--gpus-per-node=8", *more]
    return words + [f"--constraint={hint}"] if hint else words


def start(cluster, *words, **how):
    return sorted(cluster.nodes_of(cluster.wait_running(cluster.sbatch(options(*words), **how))))


# --- --nodelist and --exclude ---------------------------------------------------------------------


@pytest.mark.parametrize("hint", ["pp2", "tp8"])
def test_complete_nodelist_is_respected(cluster, hint):
    named = pair(cluster, "leaf1", "leaf3")
    assert start(cluster, 2, hint, f"--nodelist={','.join(named)}") == named


@pytest.mark.parametrize("hint", ["pp2", "tp8"])
def test_partial_nodelist_is_respected_and_filled_up_nearby(cluster, hint):
    named = cluster.leaf("leaf4")[0]
    nodes = start(cluster, 3, hint, f"--nodelist={named}")
    assert named in nodes
    assert {cluster.shape.pod_of(node) for node in nodes} == {"pod2"}


def test_leaf_hint_follows_the_nodelist(cluster):
    named = cluster.leaf("leaf3")[1]
    assert start(cluster, 2, "leaf", f"--nodelist={named}") == sorted(cluster.leaf("leaf3"))


@pytest.mark.parametrize("size, leaves", [(2, ("leaf1", "leaf2")), (2, ("leaf1", "leaf3"))])
def test_nodelist_against_the_leaf_hint_is_refused(cluster, size, leaves):
    named = shapes.hostlist(pair(cluster, *leaves))  # as sbatch writes it
    said = cluster.refusal(options(size, "leaf", f"--nodelist={named}"))
    assert f"leaf: no nodes here keep it with --nodelist={named}" in said


def test_update_of_the_nodelist_against_the_leaf_hint_is_refused(cluster):
    job = cluster.sbatch(options(2, "leaf", "--hold"))
    apart, together = pair(cluster, "leaf1", "leaf2"), sorted(cluster.leaf("leaf2"))
    update = ["scontrol", "update", f"JobId={job}"]
    assert cluster.try_command(*update, f"ReqNodeList={','.join(apart)}").returncode != 0
    cluster.command(*update, f"ReqNodeList={','.join(together)}")
    cluster.command("scontrol", "release", job)
    assert sorted(cluster.nodes_of(cluster.wait_running(job))) == together


@pytest.mark.parametrize("hint", ["tp8", "leaf"])
def test_named_node_that_is_taken_is_waited_for(cluster, hint):
    named = cluster.leaf("leaf2")[0]
    blocker = cluster.occupy([named])
    job = cluster.sbatch(options(2, hint, f"--nodelist={named}"))
    start(cluster, 1, hint, f"--exclude={','.join(cluster.leaf('leaf2'))}")
    assert cluster.state(job) == "PENDING"
    cluster.cancel(blocker)
    assert named in cluster.nodes_of(cluster.wait_running(job))


@pytest.mark.parametrize("hint", HINTS)
def test_excluded_nodes_are_never_used(cluster, hint):
    out = cluster.leaf("leaf1") + cluster.leaf("leaf2")[:1] + cluster.leaf("leaf3")
    assert not set(start(cluster, 2, hint, f"--exclude={','.join(out)}")) & set(out)
    waiting = cluster.sbatch(options(2, hint, f"--exclude={','.join(out)}"))
    start(cluster, 1, "", f"--exclude={','.join(cluster.leaf('leaf2'))}")
    assert cluster.state(waiting) == "PENDING"


def test_exclusion_of_a_node_in_every_leaf_group_is_refused_for_leaf(cluster):
    out = shapes.hostlist(pair(cluster, "leaf1", "leaf2", "leaf3", "leaf4"))
    said = cluster.refusal(options(2, "leaf", f"--exclude={out}"))
    assert f"leaf: no nodes here keep it with --exclude={out}" in said


# --- reservations ---------------------------------------------------------------------------------


@contextlib.contextmanager
def reservation(cluster, nodes, *more):
    """A reservation of `nodes` for root, named "ours", for an hour from now."""
    cluster.command("scontrol", "create", "reservation", "ReservationName=ours", "StartTime=now",
                    "Duration=60", "Users=root", f"Nodes={','.join(nodes)}", *more)
    try:
        yield set(nodes)
    finally:
        cluster.cancel_all()
        cluster.command("scontrol", "delete", "ReservationName=ours")


@pytest.mark.parametrize("hint", HINTS)
def test_reserved_nodes_are_kept_to_from_both_sides(cluster, hint):
    # leaf3 whole, and of leaf1 a node without which it would be the better place for others.
    with reservation(cluster, cluster.leaf("leaf3") + cluster.leaf("leaf1")[:1]) as reserved:
        assert set(start(cluster, 2, hint, "--reservation=ours")) < reserved
        too_large = cluster.sbatch(options(2, hint, "--reservation=ours"))
        for _ in range(2):
            assert not set(start(cluster, 2, hint)) & reserved
        for node in start(cluster, 1, hint, user="nobody"):
            assert node not in reserved
        full = cluster.sbatch(options(1, hint))
        cluster.wait_for(lambda: cluster.reason(full) in ("Resources", "Priority"), 30,
                         "no place outside the reservation")
        assert cluster.state(too_large) == "PENDING"


@pytest.mark.parametrize("hint", ["", "leaf"])
def test_reserved_cores_are_left_alone(cluster, hint):
    """Half the cores of a node of leaf1: GPU jobs with more tasks than are left go elsewhere."""
    with reservation(cluster, cluster.leaf("leaf1")[:1], "CoreCnt=32") as reserved:
        for _ in range(3 if hint == "leaf" else 2):
            nodes = start(cluster, 2, hint, "--ntasks-per-node=40")
            assert not set(nodes) & reserved
        smaller = cluster.sbatch(options(1, hint, f"-w{min(reserved)}", "--ntasks-per-node=32"))
        cluster.wait_running(smaller)
        inside = cluster.sbatch(["-N1", "-n32", "--reservation=ours"])
        assert set(cluster.nodes_of(cluster.wait_running(inside))) == reserved


@pytest.mark.parametrize("hint", ["tp8", "leaf"])
def test_flexible_reservation_comes_first_for_its_jobs_and_is_closed_to_others(cluster, hint):
    with reservation(cluster, cluster.leaf("leaf4"), "Flags=FLEX") as reserved:
        assert not set(start(cluster, 2, hint, user="nobody")) & reserved
        assert set(start(cluster, 2, hint, "--reservation=ours")) == reserved
        outside = start(cluster, 2, hint, "--reservation=ours")  # FLEX: more nodes than reserved
        assert not set(outside) & reserved
