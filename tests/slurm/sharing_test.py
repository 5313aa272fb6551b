"""Jobs that share nodes in time: OverSubscribe=FORCE, suspended and gang-scheduled jobs, and
sched/builtin. Everything is as with stock Slurm, and with hints as without."""

import pytest

import shape as shapes

GANG = ("PreemptType=preempt/partition_prio", "PreemptMode=SUSPEND,GANG", "SchedulerTimeSlice=5")
PARTITIONS = ("PartitionName=shared Nodes=ALL OverSubscribe=FORCE:2 MaxTime=UNLIMITED",
              "PartitionName=low Nodes=ALL PriorityTier=1 OverSubscribe=FORCE:1 MaxTime=UNLIMITED",
              "PartitionName=high Nodes=ALL PriorityTier=10 OverSubscribe=FORCE:1 MaxTime=UNLIMITED")
STARTED = ("RUNNING", "SUSPENDED")  # gangs take turns
CPUS = 64


class Side:
    """The cluster with or without our plugins, and a hint that jobs bear where it is known."""

    def __init__(self, cluster, hint):
        self.cluster, self.hint = cluster, hint

    def sbatch(self, options, hint=True):
        more = f" --constraint={self.hint}" if hint and self.hint else ""
        return self.cluster.sbatch(options + more)

    def start(self, options, hint=True):
        return self.cluster.wait_state(self.sbatch(options, hint), *STARTED)


@pytest.fixture(scope="module", params=[False, True], ids=["stock", "ours"])
def cluster(request, new_cluster):
    """Two nodes of eight GPUs; both sides have the same one after the other."""
    cluster = new_cluster(shapes.servers(1, 1, 2), plugin=request.param, extra=GANG,
                          extra_partitions=PARTITIONS)
    yield cluster
    assert cluster.ctld_pid() is not None
    for complaint in ("underflow", "overallocated", "bitmap overlap", "size mismatch",
                      "internal error"):
        assert not cluster.grep_log(complaint)
    cluster.stop()


@pytest.fixture(params=["", "tp4"], ids=["plain", "tp4"])
def side(request, cluster):
    if request.param and not cluster.options.plugin:
        pytest.skip("stock Slurm knows no hints")
    yield Side(cluster, request.param)
    assert_books_exact(cluster)
    cluster.cancel_all()
    cluster.wait_for(lambda: not any(cluster.gpus_in_use(node) for node in cluster.shape.nodes), 20,
                     "free GPUs")


def assert_books_exact(cluster):
    """Slurm counts exactly the GPUs that started jobs hold, and nobody has another's."""
    held = {node: set() for node in cluster.shape.nodes}
    for job, state in cluster.queue().items():
        if state in STARTED:
            for node, gpus in cluster.gpus_of(job).items():
                assert not held[node] & gpus, f"{node}: held twice"
                held[node] |= gpus
    assert held == {node: cluster.gpus_in_use(node) for node in held}


def test_two_jobs_share_the_cores_of_a_node_but_no_gpu(side):
    every_core = f"-p shared -N2 --ntasks-per-node={CPUS} --mem=1000 --time=10"
    side.start(f"{every_core} --gpus-per-node=4")
    side.start(f"{every_core} --gpus-per-node=4")
    assert_books_exact(side.cluster)
    third = side.sbatch("-p shared -N2 --gpus-per-node=4 --mem=1000 --time=10")
    side.cluster.wait_for(lambda: side.cluster.reason(third) == "Resources", 30, "no GPU free")


def test_gpu_job_shares_cores_with_a_job_without_gpus(side):
    side.start(f"-p shared -N2 --ntasks-per-node={CPUS} --mem=1000", hint=False)
    side.start(f"-p shared -N2 --ntasks-per-node={CPUS} --mem=1000 --gpus-per-node=8")
    third = side.sbatch("-p shared -N2 --ntasks-per-node=1 --mem=1000", hint=False)
    side.cluster.wait_for(lambda: side.cluster.reason(third) == "Resources", 30, "both turns taken")


def test_high_partition_suspends_a_low_job_and_gives_its_cores_back(side):
    low = side.start(f"-p low -N2 --ntasks-per-node={CPUS} --mem=1000", hint=False)
    high = side.start(f"-p high -N2 --ntasks-per-node={CPUS} --mem=1000 --gpus-per-node=8")
    side.cluster.wait_state(low, "SUSPENDED")
    assert side.cluster.state(high) == "RUNNING"
    side.cluster.cancel(high)
    side.cluster.wait_state(low, "RUNNING")


def test_suspended_jobs_keep_their_gpus(side):
    """Slurm never takes a GPU from a suspended job: the high one waits for the low one's end."""
    low = side.start("-p low -N2 --ntasks-per-node=8 --mem=1000 --gpus-per-node=8")
    high = side.sbatch("-p high -N2 --ntasks-per-node=8 --mem=1000 --gpus-per-node=4")
    side.cluster.wait_for(lambda: side.cluster.reason(high) == "Resources", 30, "reason Resources")
    side.cluster.cancel(low)
    side.cluster.wait_running(high)


def test_suspended_jobs_cores_serve_another_job_until_it_is_resumed(side):
    suspend = ["scontrol", "suspend"]
    first = side.start(f"-N2 --ntasks-per-node={CPUS} --mem=1000 --gpus-per-node=4")
    side.cluster.command(*suspend, first)
    second = side.start(f"-N2 --ntasks-per-node={CPUS} --mem=1000 --gpus-per-node=4")
    assert_books_exact(side.cluster)
    third = side.sbatch("-N2 --ntasks-per-node=4 --mem=1000 --gpus-per-node=4")
    side.cluster.command(*suspend, second)
    side.cluster.wait_for(lambda: side.cluster.reason(third) == "Resources", 30, "no GPU free")
    side.cluster.cancel(second)
    side.cluster.wait_state(third, *STARTED)
    side.cluster.command("scontrol", "resume", first)
    side.cluster.wait_state(first, "RUNNING")


# --- sched/builtin --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def builtin(new_cluster):
    """Jobs start strictly in order; decisions are made under other locks than in backfill."""
    return new_cluster(shapes.servers(1, 2, 2), plugin=True, extra=("SchedulerType=sched/builtin",))


@pytest.mark.parametrize("hint", ["tp8", "leaf"])
def test_builtin_starts_jobs_in_order_and_none_passes(builtin, hint):
    more = f" --constraint={hint}" if hint else ""
    blockers = [builtin.occupy(builtin.leaf(leaf)[:1]) for leaf in ("leaf1", "leaf2")]
    first = builtin.sbatch(f"-N2 --gpus-per-node=8 --time=5{more}")
    if hint == "leaf":
        second = builtin.sbatch("-N1 --gpus-per-node=8 --time=1")
        builtin.wait_for(lambda: builtin.reason(first) == "Resources", 30, "reason Resources")
        assert builtin.state(second) == "PENDING"
        builtin.cancel(blockers[0])
        builtin.wait_running(second)
    assert sorted(len(gpus) for gpus in builtin.gpus_of(builtin.wait_running(first)).values()) == [8, 8]
    assert_books_exact(builtin)
    assert builtin.ctld_pid() is not None
    builtin.cancel_all()
