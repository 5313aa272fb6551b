"""Slurm's own topology plugins left in place below our select plugin."""

import pytest

import conf

TOPOLOGIES = ("tree", "block", "default")
BUSY = {"leaf1": 1, "leaf2": 1, "leaf3": 2}  # nodes of other users' jobs in each leaf group


class Sides:
    """The same cluster twice, with one topology plugin: stock Slurm and ours."""

    def __init__(self, stock, ours):
        self.stock, self.ours = stock, ours

    def __iter__(self):
        return iter((self.stock, self.ours))

    def submit(self, options, hint=""):
        """[(cluster, job)]: the same job on both, with a hint where it is known."""
        return [(self.stock, self.stock.sbatch(options)),
                (self.ours, self.ours.sbatch(f"{options} {hint}"))]

    def start(self, options, hint=""):
        """As submit, when both run."""
        return [(cluster, cluster.wait_running(job)) for cluster, job in self.submit(options, hint)]

    def occupy(self, taken):
        """Takes so many nodes of each leaf group; returns the jobs as submit does."""
        jobs = [(cluster, cluster.occupy(cluster.leaf(leaf)[:count], wait=False))
                for leaf, count in taken.items() for cluster in self]
        return [(cluster, cluster.wait_running(job)) for cluster, job in jobs]


def clusters(new_cluster, topology, **options):
    if not conf.has_plugin(f"topology_{topology}"):
        pytest.skip(f"Slurm {'.'.join(map(str, conf.slurm_version()))} has no topology/{topology}")
    return Sides(*(new_cluster(plugin=ours, topology=topology, **options)
                   for ours in (False, True)))


@pytest.fixture(scope="module", params=TOPOLOGIES)
def busy(request, new_cluster):
    """Both sides, with other users' jobs on them that stay."""
    sides = clusters(new_cluster, request.param)
    sides.occupy(BUSY)
    yield sides
    for cluster in sides:
        cluster.stop()


@pytest.fixture(scope="module")
def blocks(new_cluster):
    """Both sides with topology/block, empty."""
    return clusters(new_cluster, "block")


@pytest.fixture(autouse=True)
def queues_as_before(request):
    """Ends what a test has submitted, and nothing else."""
    fixtures = [request.getfixturevalue(name) for name in {"busy", "blocks"}
                & set(request.fixturenames)]
    before = {cluster: set(cluster.queue()) for sides in fixtures for cluster in sides}
    yield
    for cluster, jobs in before.items():
        if new := set(cluster.queue()) - jobs:
            cluster.cancel(*new)


def test_the_topology_plugin_is_in_use(busy):
    for cluster in busy:
        shown = cluster.command("scontrol", "show", "config")
        line = next(line for line in shown.splitlines() if line.startswith("TopologyPlugin"))
        assert line.split()[-1] == f"topology/{cluster.options.topology}"


@pytest.mark.parametrize("options, leaf_groups, pods", [
    ("-N4 --gpus-per-node=8 --constraint=tp8", 1, 1),
    ("-N6 --gpus-per-node=8 --constraint=tp8", 2, 1),
    ("-N2 --gpus-per-node=8 --constraint=rail", 1, 1),
    ("-N3 --gpus-per-node=8 --constraint=leaf", 1, 1),
    ("-N2 --gpus-per-node=4 --constraint=h100&tp4", 1, 1),
])
def test_jobs_with_hints_are_right(busy, options, leaf_groups, pods):
    cluster = busy.ours
    job = cluster.wait_running(cluster.sbatch(options))
    assert len(cluster.leaf_groups_of(job)) == leaf_groups
    assert len(cluster.pods_of(job)) == pods
    assert "by=yardmaster" in cluster.admin_comment(job)


@pytest.mark.parametrize("options", [
    "-N4 --gpus-per-node=8", "-N6 --gpus-per-node=8", "-N2 --gpus-per-node=2", "--gpus=16",
    "-N1-3 --gpus-per-node=8", "-N3 --ntasks-per-node=4", "-n96",
])
def test_jobs_without_hints_get_what_stock_gives_them_or_better(busy, options):
    used = [(len(cluster.nodes_of(job)), len(cluster.leaf_groups_of(job)),
             len(cluster.pods_of(job))) for cluster, job in busy.start(options)]
    (stock_nodes, *stock), (our_nodes, *ours) = used
    assert our_nodes == stock_nodes
    assert all(mine <= theirs for mine, theirs in zip(ours, stock)), used


def test_job_that_must_wait_starts_when_it_can(busy):
    cluster = busy.ours
    blocker = cluster.occupy(cluster.leaf("leaf4")[:1])
    job = cluster.sbatch("-N4 --gpus-per-node=8 --constraint=leaf")
    cluster.wait_for(lambda: cluster.reason(job) == "Resources", 30, "reason Resources")
    cluster.cancel(blocker)
    cluster.wait_running(job)
    assert list(cluster.leaf_groups_of(job)) == ["leaf4"]


def test_slurmctld_lived_through_it(busy):
    for cluster in busy:
        assert cluster.ctld_pid() is not None
        assert not cluster.grep_log("Scheduling anomaly")


# --- topology/block and --segment -----------------------------------------------------------------


@pytest.mark.parametrize("taken, options, segment", [
    ({"leaf1": 2, "leaf2": 2, "leaf3": 3, "leaf4": 3}, "-N4 --segment=2", 2),
    ({"leaf1": 1, "leaf2": 1, "leaf3": 1, "leaf4": 1}, "-N6 --segment=3", 3),
    ({"leaf1": 1, "leaf2": 1, "leaf3": 1, "leaf4": 1}, "-N8 --segment=2", 2),
    ({"leaf2": 1}, "-N8 --segment=4", 4),
])
def test_segments_are_kept_whole(blocks, taken, options, segment):
    """A segment lies in one block, here a leaf group, for stock and for ours."""
    blocks.occupy(taken)
    for hint in ("", "--constraint=tp8"):
        jobs = blocks.start(f"{options} --gpus-per-node=8", hint)
        for cluster, job in jobs:
            sizes = [len(nodes) for nodes in cluster.leaf_groups_of(job).values()]
            assert all(size % segment == 0 for size in sizes), (hint, sizes)
            cluster.cancel(job)


@pytest.mark.parametrize("hint", ["", "--constraint=tp8"])
def test_segment_without_a_block_waits_as_with_stock(blocks, hint):
    blocks.occupy({"leaf1": 1, "leaf2": 1, "leaf3": 1})
    blockers = blocks.occupy({"leaf4": 1})
    jobs = blocks.submit("-N4 --segment=4 --gpus-per-node=8", hint)
    for cluster, job in jobs:
        cluster.wait_for(lambda: cluster.reason(job) == "Resources", 30, "reason Resources")
    for cluster, job in blockers:
        cluster.cancel(job)
    for cluster, job in jobs:
        cluster.wait_running(job)
        assert list(cluster.leaf_groups_of(job)) == ["leaf4"]


def test_segment_that_no_block_holds_is_refused_as_by_stock(blocks):
    stock, ours = (cluster.refusal("-N5 --segment=5 --gpus-per-node=8") for cluster in blocks)
    assert stock == ours and "topology" in stock.lower()


def test_blocks_that_are_no_leaf_groups(blocks):
    """The admin's blocks lie across the fabric file's leaf groups: segments follow the blocks, and a
    hint that any nodes keep does not wait for a set that is both."""
    leaves = blocks.ours.shape.leaves
    columns = [[leaf.nodes[i] for leaf in leaves] for i in range(4)]
    text = "".join(f"BlockName=column{i} Nodes={','.join(nodes)}\n"
                   for i, nodes in enumerate(columns)) + "BlockSizes=4\n"
    for cluster in blocks:
        cluster.options.topology_conf = text
        cluster.use_plugin(cluster.options.plugin)
    for hint in ("", "--constraint=tp8"):
        for cluster, job in blocks.start("-N4 --segment=4 --gpus-per-node=8", hint):
            assert sorted(cluster.nodes_of(job)) in map(sorted, columns)
