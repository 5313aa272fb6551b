"""Jobs that cannot start now: what they wait for, what passes them, what they may push aside."""

import pytest

PREEMPTION = ("PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE")
PARTITIONS = ("PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=UNLIMITED",
              "PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=UNLIMITED")


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster(plugin=True, extra=PREEMPTION, extra_partitions=PARTITIONS)


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


HARD = "-N4 --gpus-per-node=8 --constraint=tp8"


def assert_waits_unharmed(cluster, job, seconds=6):
    """The job stays in the queue with its priority, however often the schedulers look at it."""
    with pytest.raises(TimeoutError):
        cluster.wait_for(lambda: cluster.state(job) != "PENDING" or
                         cluster.reason(job) in ("BadConstraints", "JobHeldAdmin"), seconds)
    assert cluster.show_job(job)["Priority"] != "0"


def test_shrunken_partition_never_brands_a_hard_job(cluster):
    job = None
    cluster.update("PartitionName=main Nodes=" + ",".join(cluster.leaf("leaf1")[:2]))
    try:
        job = cluster.sbatch(HARD + " -p main,low")
        cluster.wait_running(job)  # the other partition still has room
        cluster.cancel(job)
        cluster.update("PartitionName=main Nodes=ALL")
        cluster.occupy(cluster.shape.nodes)
        job = cluster.sbatch(HARD)
        cluster.update("PartitionName=main Nodes=" + ",".join(cluster.leaf("leaf1")[:2]))
        assert_waits_unharmed(cluster, job)
    finally:
        cluster.update("PartitionName=main Nodes=ALL")
    for other in cluster.queue():
        if other != job:
            cluster.cancel(other)
    cluster.wait_running(job)
    assert len(cluster.leaf_groups_of(job)) == 1


def test_drained_nodes_make_a_hard_job_wait(cluster):
    drained = [cluster.leaf(leaf)[0] for leaf in ("leaf1", "leaf2", "leaf3", "leaf4")]
    for node in drained:
        cluster.drain(node)
    job = cluster.sbatch("-N4 --gpus-per-node=8 --constraint=leaf")
    try:
        assert_waits_unharmed(cluster, job)
    finally:
        for node in drained:
            cluster.resume(node)
    cluster.wait_running(job)
    assert len(cluster.leaf_groups_of(job)) == 1


def test_maintenance_reservation_makes_a_hard_job_wait(cluster):
    cluster.command("scontrol", "create", "reservation", "ReservationName=repair", "StartTime=now",
                    "Duration=60", "Users=root", "Flags=MAINT", "Nodes=ALL")
    job = cluster.sbatch(HARD, user="nobody")
    try:
        assert_waits_unharmed(cluster, job)
    finally:
        cluster.command("scontrol", "delete", "ReservationName=repair")
    cluster.wait_running(job)


def test_plain_job_passes_a_waiting_hard_job(cluster):
    cluster.occupy([cluster.leaf(leaf)[0] for leaf in ("leaf1", "leaf2", "leaf3", "leaf4")],
                   options="--time=10")
    hard = cluster.sbatch("-N4 --gpus-per-node=8 --constraint=leaf --time=5")
    cluster.wait_for(lambda: cluster.show_job(hard)["StartTime"] != "Unknown", 20, "a planned start")
    plain = cluster.sbatch("-N2 --gpus-per-node=8 --time=1")
    cluster.wait_running(plain)
    assert cluster.state(hard) == "PENDING"


@pytest.mark.parametrize("hint", ["", "--constraint=pp2", "--constraint=tp8"])
def test_nothing_is_preempted_while_nodes_are_free(cluster, hint):
    low = [cluster.occupy(cluster.leaf(leaf)[:2], options="-p low") for leaf in
           ("leaf1", "leaf2", "leaf3", "leaf4")]
    job = cluster.wait_running(cluster.sbatch(f"-N4 --gpus-per-node=8 -p high {hint}"))
    assert all(cluster.state(other) == "RUNNING" for other in low)
    assert all(cluster.restarts(other) == 0 for other in low)
    assert cluster.state(job) == "RUNNING"


@pytest.mark.parametrize("hint", ["", "--constraint=tp8", "--constraint=leaf"])
def test_full_cluster_gives_up_one_set_once(cluster, hint):
    low = [cluster.occupy(cluster.leaf(leaf), options="-p low") for leaf in
           ("leaf1", "leaf2", "leaf3", "leaf4")]
    cluster.wait_running(cluster.sbatch(f"-N4 --gpus-per-node=8 -p high {hint}"), timeout=60)
    assert sorted(cluster.restarts(job) for job in low) == [0, 0, 0, 1]


def test_switches_count_leaf_groups_and_wait(cluster):
    """Slurm's topology/none knows no switches: the fabric file's leaf groups stand in for them."""
    for leaf in ("leaf1", "leaf2", "leaf3", "leaf4"):
        cluster.occupy(cluster.leaf(leaf)[:2])
    waits = cluster.sbatch("-N3 --gpus-per-node=8 --switches=1@60")
    passes = cluster.wait_running(cluster.sbatch("-N3 --gpus-per-node=8 --switches=2@60"))
    assert len(cluster.leaf_groups_of(passes)) == 2
    assert cluster.state(waits) == "PENDING"
    cluster.cancel(waits)
    gives_up = cluster.sbatch("-N3 --gpus-per-node=8 --switches=1@00:00:03")
    cluster.wait_running(gives_up)
    assert len(cluster.leaf_groups_of(gives_up)) > 1


def component_states(cluster, het_job):
    """The states of a het job's components, as they were at one moment."""
    return [part["JobState"] for part in cluster.job_tasks(het_job)]


def test_het_job_with_a_hard_component_starts_whole_or_not_at_all(cluster):
    blockers = [cluster.occupy(cluster.leaf(leaf)[0]) for leaf in ("leaf1", "leaf2", "leaf3", "leaf4")]
    job = cluster.sbatch("-N2 --gpus-per-node=8 : -N4 --gpus-per-node=8 --constraint=leaf : "
                         "-N1 --gpus-per-node=4 --constraint=tp4")
    seen = set()

    def look():
        seen.add(tuple(component_states(cluster, job)))
        return seen

    plain = cluster.wait_running(cluster.sbatch("-N8 --gpus-per-node=8 --time=1"))
    cluster.cancel(plain)
    with pytest.raises(TimeoutError):  # there is room for all but the hard component
        cluster.wait_for(lambda: "RUNNING" in str(look()), 5)
    cluster.cancel(blockers[2])
    cluster.wait_for(lambda: ("RUNNING",) * 3 in look(), 60, "all components to run")
    assert seen == {("PENDING",) * 3, ("RUNNING",) * 3}
    parts = {part["HetJobOffset"]: part for part in cluster.job_tasks(job)}
    assert set(cluster.leaf_groups_of(parts["1"]["JobId"])) == {"leaf3"}
    assert all(part["AdminComment"].startswith("yardmaster:") for part in parts.values())
