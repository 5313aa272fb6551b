"""Node weights and sleeping nodes: hints choose among the nodes that the admin wants used first."""

import pytest

import shape as shapes

DEAR, SLEEPING = "leaf1", "leaf3"
CHEAP = ("leaf2", "leaf4")


@pytest.fixture(scope="module")
def cluster(new_cluster):
    """Four leaf groups of two nodes: a dear one, a cheap one that sleeps, two cheap ones."""
    shape = shapes.servers(1, 4, 2)
    return new_cluster(shape, plugin=True, cloud_nodes=tuple(shape.leaf(SLEEPING)),
                       node_extra={node: "Weight=100" for node in shape.leaf(DEAR)},
                       extra=("SuspendTimeout=1",))


@pytest.fixture(autouse=True)
def as_new(cluster):
    """An empty queue, and the nodes that were woken up asleep again."""
    yield
    cluster.cancel_all()
    sleepers = cluster.leaf(SLEEPING)
    if not asleep(cluster, sleepers):
        cluster.update(f"NodeName={','.join(sleepers)} State=POWER_DOWN_FORCE")
        cluster.wait_for(lambda: asleep(cluster, sleepers), 60, "sleeping nodes")


def asleep(cluster, nodes):
    states = cluster.node_states()
    return all(states[node] == "idle~" for node in nodes)


def leaves_of(cluster, *words):
    """The leaf groups of a job that gets nodes, awake or not."""
    job = cluster.wait_state(cluster.sbatch(list(words)), "RUNNING", "CONFIGURING")
    return set(cluster.leaf_groups_of(job))


def words(size, hint):
    return [f"-N{size}", "--gpus-per-node=8"] + ([f"--constraint={hint}"] if hint else [])


@pytest.mark.parametrize("hint", ["", "tp8", "leaf"])
def test_cheap_and_awake_nodes_come_first(cluster, hint):
    assert leaves_of(cluster, *words(2, hint)) | leaves_of(cluster, *words(2, hint)) == set(CHEAP)


@pytest.mark.parametrize("hint", ["pp2", "tp8"])
def test_cheap_and_awake_nodes_come_before_a_leaf_group_in_one_piece(cluster, hint):
    cluster.occupy([cluster.leaf(leaf)[0] for leaf in CHEAP])
    assert leaves_of(cluster, *words(2, hint)) == set(CHEAP)


def test_leaf_hint_is_worth_a_dear_node(cluster):
    cluster.occupy([cluster.leaf(leaf)[0] for leaf in CHEAP])
    assert leaves_of(cluster, *words(2, "leaf")) == {DEAR}


@pytest.mark.parametrize("hint", ["", "tp8"])
def test_dear_nodes_come_before_sleeping_ones(cluster, hint):
    """To Slurm every node that is awake is lighter than one that sleeps."""
    cluster.occupy([node for leaf in CHEAP for node in cluster.leaf(leaf)])
    assert leaves_of(cluster, *words(2, hint)) == {DEAR}
    assert leaves_of(cluster, *words(2, hint)) == {SLEEPING}
