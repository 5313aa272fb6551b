"""Which GPUs jobs get on part-used nodes: the same indices on every node, hence the same rails."""

import pytest

import shape as shapes


@pytest.fixture(scope="module")
def cluster(new_cluster):
    """Two nodes of eight GPUs, four a socket."""
    return new_cluster(shapes.servers(1, 1, 2), plugin=True, gpu_cores=True)


@pytest.fixture(scope="module")
def miscabled(new_cluster):
    """The same, with no NIC for GPUs 0 to 3 of the second node."""
    shape = shapes.servers(1, 1, 2)
    fabric = shape.fabric()
    fabric["exceptions"] = [{"node": shape.nodes[1], "gpu": gpu, "nic": None} for gpu in range(4)]
    return new_cluster(shape, plugin=True, gpu_cores=True, fabric=fabric)


@pytest.fixture(autouse=True)
def exact_books(request):
    """After every test Slurm counts exactly the GPUs that jobs have, and none when they are gone."""
    yield
    for name in ("cluster", "miscabled", "mixed", "without_files", "shared"):
        if name in request.fixturenames:
            used = request.getfixturevalue(name)
            assert_books_exact(used)
            used.cancel_all()
            used.wait_for(lambda: all_free(used), 20, "free GPUs")


def assert_books_exact(cluster):
    held = {node: set() for node in cluster.shape.nodes}
    for job, state in cluster.queue().items():
        if state in ("RUNNING", "CONFIGURING"):
            for node, gpus in cluster.gpus_of(job).items():
                assert not held[node] & gpus, f"{node}: held twice"
                held[node] |= gpus
    assert held == {node: cluster.gpus_in_use(node) for node in held}


def all_free(cluster):
    return not any(cluster.gpus_in_use(node) for node in cluster.shape.nodes)


def start(cluster, options, **how):
    return cluster.wait_running(cluster.sbatch(options, **how))


def hold(cluster, node, *gpus, options=""):
    """A job of one GPU for each of `gpus` on `node`; what it gets beside them is given back."""
    jobs = {}
    while not set(gpus) <= set(jobs):
        job = cluster.occupy([node], 1, options)
        jobs[next(iter(cluster.gpus_of(job)[node]))] = job
    for gpu, job in jobs.items():
        if gpu not in gpus:
            cluster.cancel(job)
    return [jobs[gpu] for gpu in gpus]


def same_indices(cluster, job):
    """The GPU indices of a job that has the same ones on all its nodes."""
    sets = list(cluster.gpus_of(job).values())
    assert all(gpus == sets[0] for gpus in sets), sets
    return sets[0]


def test_indices_are_the_same_where_other_jobs_hold_different_ones(cluster):
    first, second = cluster.shape.nodes
    hold(cluster, first, 0)
    hold(cluster, second, 2)
    job = start(cluster, "-N2 --gpus-per-node=4 -C rail")
    assert same_indices(cluster, job) == {4, 5, 6, 7}
    assert " gpuset=4-7 time=" in cluster.admin_comment(job)
    assert len(same_indices(cluster, start(cluster, "-N2 --gpus-per-node=2 -C rail"))) == 2


def test_without_the_hint_indices_are_a_wish(cluster):
    first, second = cluster.shape.nodes
    hold(cluster, first, 0)
    hold(cluster, second, 2)
    assert same_indices(cluster, start(cluster, "-N2 --gpus-per-node=4")) == {4, 5, 6, 7}
    job = start(cluster, "-N2 --gpus-per-node=3")  # 1, 2, 3 and 0, 1, 3
    assert cluster.gpus_of(job) == {first: {1, 2, 3}, second: {0, 1, 3}}
    assert "rails differ" in cluster.admin_comment(job)


def test_rail_job_waits_until_enough_indices_are_free_everywhere(cluster):
    first, second = cluster.shape.nodes
    kept = cluster.occupy([first], 4)
    other = cluster.occupy([second], 4)
    more = cluster.occupy([second], 4)
    cluster.cancel(other)
    job = cluster.sbatch("-N2 --gpus-per-node=4 -C rail")
    passer = start(cluster, "-N1 --gpus-per-node=1 --time=1")
    assert cluster.state(job) == "PENDING"
    cluster.cancel(more, passer)
    cluster.wait_running(job)
    assert same_indices(cluster, job) == {4, 5, 6, 7}
    assert cluster.state(kept) == "RUNNING"


def test_plan_knows_which_gpus_come_free_when(miscabled):
    """Scenario 7: only 4-7 are on their rails everywhere."""
    for node in miscabled.shape.nodes:
        miscabled.occupy([node], 4, "--time=2")
    late = [miscabled.occupy([node], 2, "--time=10") for node in miscabled.shape.nodes]
    assert [miscabled.gpus_of(job)[node] for job, node in zip(late, miscabled.shape.nodes)] == [
        {4, 5}, {4, 5}]
    job = miscabled.sbatch("-N2 --gpus-per-node=4 -C rail --time=5")
    ends = max(miscabled.show_job(other)["EndTime"] for other in late)
    miscabled.wait_for(lambda: miscabled.show_job(job)["StartTime"] != "Unknown", 30, "a plan")
    assert miscabled.show_job(job)["StartTime"] >= ends


def test_miscabled_gpus_are_not_on_a_rail(miscabled):
    job = start(miscabled, "-N2 --gpus-per-node=2 -C rail")
    assert same_indices(miscabled, job) == {4, 5}
    whole = miscabled.sbatch("-N2 --gpus-per-node=8 -C rail")
    miscabled.cancel(job)
    alone = start(miscabled, "-N1 --gpus-per-node=8 -C rail --time=1")
    assert miscabled.state(whole) == "PENDING"
    miscabled.cancel(whole, alone)


def test_exclusive_rail_job_starts(cluster):
    """Scenario 8."""
    job = start(cluster, "-N2 --gpus-per-node=4 --exclusive -C rail")
    assert same_indices(cluster, job) == set(range(8))


@pytest.mark.parametrize("options", [
    "-N2 --gpus=8", "-N2 --gpus-per-task=1 --ntasks-per-node=4", "-N2 -n8 --gpus-per-task=1",
    "-N2 --gres=gpu:h100:4", "-N2 --gres=gpu:4", "-N2 --gpus-per-node=h100:4",
    "-N2 --gpus-per-node=4 --gres-flags=enforce-binding"])
def test_every_way_to_ask_for_gpus_keeps_the_hint(cluster, options):
    hold(cluster, cluster.shape.nodes[0], 1)
    assert same_indices(cluster, start(cluster, f"{options} -C rail")) == {4, 5, 6, 7}


def test_gpus_by_sockets_without_free_cores_are_avoided(cluster):
    for node in cluster.shape.nodes:
        start(cluster, f"-w {node} -n1 -c32 --mem=1")  # a socket full
    assert same_indices(cluster, start(cluster, "-N2 --gpus-per-node=4 -C rail")) == {4, 5, 6, 7}
    bound = "-N2 --gpus-per-node=2 -C rail --gres-flags=enforce-binding"
    job = cluster.sbatch(bound)
    far = start(cluster, "-N1 --gpus-per-node=2 --time=1")  # far GPUs are better than none
    assert set().union(*cluster.gpus_of(far).values()) <= {0, 1, 2, 3}
    assert cluster.state(job) == "PENDING"


def test_refusals_name_a_way_out(cluster):
    assert "cannot be shared evenly" in cluster.refusal("-N2 --gpus=7 -C rail")
    assert "--gpus-per-node" in cluster.refusal("-N2 --gpus-per-socket=2 --sockets-per-node=1 -C rail")


@pytest.mark.parametrize("options, nodes, gpus", [
    ("--gpus=8 -C tp8", 1, 8), ("--gpus=16 -C tp8", 2, 8), ("-n16 --gpus-per-task=1 -C tp8", 2, 8),
    ("-N1-2 --gpus-per-node=8 -C tp8", 2, 8), ("-N1-2 --gpus-per-node=8 -C tp8&pp2", 2, 8),
    ("-n8 --gpus-per-node=4 -C tp4", 1, 4), ("-N2 --gpus=8 -C tp4", 2, 4)])
def test_groups_stay_whole_without_a_fixed_extent(cluster, options, nodes, gpus):
    """Scenario 13."""
    held = cluster.gpus_of(start(cluster, options))
    assert [len(indices) for indices in held.values()] == [gpus] * nodes


def test_preemption_for_a_rail_job_frees_the_right_gpus(new_cluster):
    extra = ("PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE")
    partitions = ("PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=UNLIMITED",
                  "PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=UNLIMITED")
    cluster = new_cluster(shapes.servers(1, 1, 2), plugin=True, extra=extra,
                          extra_partitions=partitions)
    first, second = cluster.shape.nodes
    stays = cluster.occupy([first], 4, "-p high")
    low = [cluster.occupy([node], 4, "-p low") for node in (second, second, first)]
    job = start(cluster, "-p high -N2 --gpus-per-node=4 -C rail")
    assert same_indices(cluster, job) == {4, 5, 6, 7}
    assert cluster.state(stays) == "RUNNING"
    cluster.wait_for(lambda: cluster.state(low[1]) == "PENDING", 20, "the preempted job")
    assert_books_exact(cluster)


# --- Scenario 10: other kinds of GPUs ---------------------------------------------------------


@pytest.fixture(scope="module")
def mixed(new_cluster):
    """Nodes with four GPUs of one type and four of another."""
    shape = shapes.servers(1, 1, 2)
    return new_cluster(shape, plugin=True, gpu_types=("big", "small"),
                       node_extra={node: "Gres=gpu:big:4,gpu:small:4" for node in shape.nodes})


def test_type_decides_which_indices_there_are(mixed):
    assert same_indices(mixed, start(mixed, "-N2 --gpus-per-node=small:2 -C rail")) == {4, 5}
    assert same_indices(mixed, start(mixed, "-N2 --gpus-per-node=big:4 -C rail")) == {0, 1, 2, 3}
    assert same_indices(mixed, start(mixed, "-N2 --gpus-per-node=2 -C rail")) == {6, 7}


def test_several_types_are_refused_for_part_of_a_node(mixed):
    refusal = mixed.refusal("-N2 --gres=gpu:big:2,gpu:small:2 -C rail")
    assert "several types of GPUs" in refusal
    job = start(mixed, "-N2 --gres=gpu:big:4,gpu:small:4 -C rail")
    assert same_indices(mixed, job) == set(range(8))


@pytest.fixture(scope="module")
def without_files(new_cluster):
    # Without slurmds: they count no GPUs that have no files.
    return new_cluster(shapes.servers(1, 1, 2), plugin=True, gres_files=False, cloud=True)


def test_gpus_without_files_have_no_rail_but_all_of_them(without_files):
    refusal = without_files.refusal("-N2 --gpus-per-node=4 -C rail")
    assert "gres.conf without File=" in refusal and "--exclusive" in refusal
    without_files.cancel(start(without_files, "-N2 --gpus-per-node=8 -C rail"))
    start(without_files, "-N2 --gpus-per-node=4")  # as stock


@pytest.fixture(scope="module")
def shared(new_cluster):
    """GPUs of which each is also eight shards."""
    shape = shapes.servers(1, 1, 2)
    return new_cluster(shape, plugin=True, extra=("GresTypes=gpu,shard",),
                       node_extra={node: "Gres=gpu:h100:8,shard:64" for node in shape.nodes},
                       gres_extra=(f"NodeName={shapes.hostlist(shape.nodes)} Name=shard Count=64",))


def test_gpus_in_use_as_shards_are_left_alone(shared):
    shared.wait_running(shared.sbatch(f"-w {shared.shape.nodes[0]} --gres=shard:1"))
    job = start(shared, "-N2 --gpus-per-node=4 -C rail")
    assert same_indices(shared, job) == {4, 5, 6, 7}
    assert len(same_indices(shared, start(shared, "-N2 --gpus-per-node=2 -C rail"))) == 2


def test_sched_builtin_starts_rail_jobs(new_cluster):
    cluster = new_cluster(shapes.servers(1, 1, 2), plugin=True,
                          extra=("SchedulerType=sched/builtin",))
    hold(cluster, cluster.shape.nodes[0], 0)
    assert same_indices(cluster, start(cluster, "-N2 --gpus-per-node=4 -C rail")) == {4, 5, 6, 7}
    waits = cluster.sbatch("-N2 --gpus-per-node=8 -C rail")
    assert cluster.state(waits) == "PENDING"
    assert_books_exact(cluster)
