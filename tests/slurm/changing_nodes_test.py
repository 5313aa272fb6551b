"""Nodes that come, go and change while jobs are placed, and jobs that shrink: what the select plugin
remembers of the nodes is never in the way, and the fabric file is read when Slurm says so only."""

import collections
import contextlib
import os
import re
import subprocess

import pytest

import conf
import shape as shapes

HINTS = ("", "leaf")


@pytest.fixture(scope="module")
def cluster(new_cluster):
    """Three leaf groups of two nodes. A node that is set down stays down."""
    return new_cluster(shapes.servers(1, 3, 2), plugin=True, extra=("ReturnToService=0",))


@pytest.fixture(autouse=True)
def empty_queue(request):
    yield
    for name in ("cluster", "growing"):
        if name in request.fixturenames:
            request.getfixturevalue(name).cancel_all()


def options(size, hint="", gpus=8):
    return f"-N{size} --gpus-per-node={gpus}" + (f" --constraint={hint}" if hint else "")


def fill(cluster):
    """A job on each leaf group: the cluster is full, and the plugin knows it."""
    return {leaf.name: cluster.occupy(leaf.nodes) for leaf in cluster.shape.leaves}


def wait_for_place(cluster, hint, size=2, gpus=8):
    """A job that the full cluster makes wait, looked at by the scheduler."""
    job = cluster.sbatch(options(size, hint, gpus))
    cluster.wait_for(lambda: cluster.reason(job) == "Resources", 30, "reason Resources")
    return job


def gpu_count(gres):
    """"gpu:h100:8(IDX:0-7)", "gpu:h100:8", "gpu:h100(CNT:8)" -> 8; "gpu:h100:0(IDX:N/A)" -> 0."""
    return sum(int(number) for number in re.findall(r"gpu(?::h100)?(?::|\(CNT:)(\d+)", gres))


def assert_books_exact(cluster):
    """Slurm counts as many GPUs of each node as running jobs hold."""
    held = collections.Counter()
    for job, state in cluster.queue().items():
        if state in ("RUNNING", "CONFIGURING"):
            for node, line in cluster.show_job(job)["NODES"].items():
                held[node] += gpu_count(line["GRES"])
    nodes = cluster.node_states()
    assert held.total() > 0
    assert {node: gpu_count(cluster.show_node(node)["GresUsed"]) for node in nodes} == {
        node: held[node] for node in nodes}


@pytest.mark.parametrize("hint", ["leaf"])
def test_node_that_a_shrunken_job_gives_up_is_found(cluster, hint):
    fill(cluster)
    large = cluster.queue()
    wide = cluster.sbatch(options(4))
    for job in list(large)[:2]:
        cluster.cancel(job)
    cluster.wait_running(wide)
    job = wait_for_place(cluster, hint)
    kept = cluster.leaf(cluster.shape.leaf_of(cluster.nodes_of(wide)[0]))
    cluster.update(f"JobId={wide} NodeList={','.join(sorted(kept))}")
    cluster.wait_running(job)
    assert not set(cluster.nodes_of(job)) & set(kept)
    assert_books_exact(cluster)


@pytest.mark.parametrize("hint", ["tp8"])
def test_requeued_and_cancelled_jobs_nodes_are_found(cluster, hint):
    holders = fill(cluster)
    job = wait_for_place(cluster, hint)
    cluster.command("scontrol", "requeuehold", holders["leaf2"])
    cluster.wait_running(job)
    assert sorted(cluster.nodes_of(job)) == sorted(cluster.leaf("leaf2"))
    again = wait_for_place(cluster, hint)
    cluster.cancel(holders["leaf3"])
    cluster.wait_running(again)
    assert_books_exact(cluster)


@contextlib.contextmanager
def reservation(cluster, nodes):
    """These nodes are another user's until the end."""
    cluster.command("scontrol", "create", "reservation", "ReservationName=away", "StartTime=now",
                    "Duration=60", "Users=nobody", f"Nodes={','.join(nodes)}")
    try:
        yield
    finally:
        cluster.command("scontrol", "delete", "ReservationName=away")


@contextlib.contextmanager
def out_of_service(cluster, nodes, state):
    cluster.update(f"NodeName={','.join(nodes)} State={state}", "Reason=test")
    try:
        yield
    finally:
        cluster.resume(",".join(nodes))


@pytest.mark.parametrize("hint", HINTS)
def test_nodes_that_were_down_drained_or_reserved_are_found(cluster, hint):
    leaf1, leaf2, leaf3 = (cluster.leaf(leaf.name) for leaf in cluster.shape.leaves)
    lost = cluster.occupy(leaf1, options="--no-requeue")

    def started():
        return sum(state == "RUNNING" for state in cluster.queue().values())

    with out_of_service(cluster, leaf1, "DOWN"):  # which ends its job
        cluster.wait_ended(lost)
        with reservation(cluster, leaf3):
            with out_of_service(cluster, leaf2[:1], "DRAIN"):
                jobs = [cluster.sbatch(options(2, hint)) for _ in range(3)]
                alone = cluster.wait_running(cluster.sbatch(options(1, hint) + " --time=1"))
                assert cluster.nodes_of(alone) == leaf2[1:]
                assert started() == 1
                cluster.cancel(alone)
            cluster.wait_for(lambda: started() == 1, 30, "a job on leaf2")
        cluster.wait_for(lambda: started() == 2, 30, "a job on leaf3")
    for job in jobs:
        cluster.wait_running(job, timeout=60)
    assert_books_exact(cluster)


# --- partitions and nodes that are made and deleted ------------------------------------------------

ROOM = 4  # nodes to come, which the fabric file names already


def with_room(shape):
    """The shape's fabric file with one more leaf group."""
    fabric = shape.fabric()
    name = f"new[1-{ROOM}]"
    fabric["nodes"][name] = shape.gpu_type
    fabric["switches"][0]["children"][0]["children"].append({"name": "leaf9", "nodes": name})
    return fabric


@pytest.fixture(scope="module")
def growing(new_cluster):
    """Six nodes, and room for more; without slurmds, as a node made by scontrol has none, and with
    GPUs that are only counted, since Slurm lets nobody change the number of GPUs with files. Those
    to come have files where Slurm takes no others on a node that is made while it runs."""
    shape = shapes.servers(1, 3, 2)
    gpus = "File=/dev/nvidia[0-7]" if conf.slurm_version() >= (24, 11) else "Count=8"
    return new_cluster(shape, plugin=True, cloud=True, fabric=with_room(shape), gres_files=False,
                       extra=(f"MaxNodeCount={len(shape.nodes) + ROOM}",),
                       gres_extra=(f"NodeName=new[1-{ROOM}] Name=gpu Type=h100 {gpus}",))


def make_nodes(cluster, *names):
    words = ("NodeAddr=127.0.0.1 Port=1 State=CLOUD CPUs=64 Boards=1 SocketsPerBoard=2 "
             "CoresPerSocket=32 ThreadsPerCore=1 RealMemory=1024000 Gres=gpu:h100:8 Feature=h100"
             ).split()
    cluster.command("scontrol", "create", f"NodeName={','.join(names)}", *words)


def delete_nodes(cluster, *names):
    """As soon as Slurm lets them go: not before their jobs have."""
    for name in names:
        cluster.wait_for(lambda name=name: cluster.try_command(
            "scontrol", "delete", f"NodeName={name}").returncode == 0, 30, f"{name} to be deletable")


def file_lines(cluster):
    """The log's lines on the fabric file: one for every reading."""
    return [line for line in cluster.log().splitlines()
            if "NVLink domains under" in line or "no usable fabric file" in line]


@pytest.mark.parametrize("hint", ["tp4"])
def test_gpus_that_an_admin_takes_and_gives_are_seen(growing, hint):
    first, second = growing.leaf("leaf1")
    others = [node for node in growing.shape.nodes if node not in (first, second)]
    growing.occupy(others)
    growing.update(f"NodeName={first},{second} Gres=gpu:h100:4")
    try:
        job = wait_for_place(growing, hint, 2, 8)
        small = growing.wait_running(growing.sbatch(options(2, hint, 4) + " --time=1"))
        assert sorted(growing.nodes_of(small)) == sorted([first, second])
        growing.cancel(small)
        assert growing.state(job) == "PENDING"
    finally:
        growing.update(f"NodeName={first},{second} Gres=gpu:h100:8")
    growing.wait_running(job)
    assert_books_exact(growing)


@pytest.mark.parametrize("hint", ["leaf"])
def test_made_node_is_used_and_deleted_one_forgotten(growing, hint):
    read = len(file_lines(growing))
    full = growing.occupy(growing.shape.nodes)
    job = wait_for_place(growing, hint)
    make_nodes(growing, "new1", "new2")
    growing.wait_running(job)
    assert growing.nodes_of(job) == ["new1", "new2"]
    growing.cancel(job)
    delete_nodes(growing, "new1", "new2")
    job = wait_for_place(growing, hint)
    if conf.slurm_version() < (24, 11):  # stock 24.11 starts nothing in a used slot: "nodes are busy"
        make_nodes(growing, "new3")  # takes a slot of the node table that another had
        alone = growing.wait_running(growing.sbatch(options(1, hint)))
        assert growing.nodes_of(alone) == ["new3"]
        assert growing.state(job) == "PENDING"
    growing.cancel(full)
    growing.wait_running(job)
    assert set(growing.nodes_of(job)) <= set(growing.shape.nodes)
    growing.cancel_all()
    if conf.slurm_version() < (24, 11):
        delete_nodes(growing, "new3")
    assert len(file_lines(growing)) == read


def test_hundred_updates_of_a_partition_under_load_read_no_file(growing):
    holders = fill(growing)
    jobs = [growing.sbatch(options(2, hint)) for hint in HINTS * 4]
    read = file_lines(growing)
    file = growing.conf.etc / "fabric.json"
    content = file.read_text()
    file.unlink()
    os.mkfifo(file)  # whoever opens it to read hangs
    try:
        updates = growing.spawn("scontrol", stdin=subprocess.PIPE)
        for number in range(100):
            updates.stdin.write(f"update PartitionName=main MaxTime={number + 1}:00:00\n")
            updates.stdin.flush()
            if number == 50:
                growing.cancel(holders["leaf2"])
        printed, _ = updates.communicate(timeout=300)
        assert updates.returncode == 0 and "rror" not in printed
        assert "MaxTime=4-04:00:00" in growing.command("scontrol", "show", "partition", "main")
        started = growing.wait_for(
            lambda: [job for job in jobs if growing.state(job) == "CONFIGURING"], 30, "a start")
        assert [sorted(growing.nodes_of(job)) for job in started] == [sorted(growing.leaf("leaf2"))]
        assert_books_exact(growing)
    finally:
        file.unlink()
        file.write_text(content)
    assert file_lines(growing) == read
    growing.reconfigure()
    growing.wait_for(lambda: len(file_lines(growing)) > len(read), 30, "the file to be read")
