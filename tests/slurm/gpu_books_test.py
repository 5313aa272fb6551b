"""Slurm's own count of GPUs stays exact, whatever jobs come, go, are requeued, preempted, refused."""

import collections
import random
import re

import pytest

import conf
import shape as shapes
import slurm_text

STARTS = 1000  # of jobs, in one walk; as many end, and many more decisions refuse
QUEUE = 150    # jobs in the queue at most, so that a round stays short

EXTRA = ("PreemptType=preempt/partition_prio", "PreemptMode=CANCEL", "MinJobAge=2")
PARTITIONS = ("PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=UNLIMITED",
              "PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=UNLIMITED")
# Without slurmds, so that a start costs little. There 22.05 itself loses GPUs of a job that is requeued
# and starts at once: it keeps the list of the first start's. So nothing is requeued there.
HOW = dict(plugin=True, cloud=True, gpu_cores=True, extra=EXTRA, extra_partitions=PARTITIONS)

# What jobs ask for: parts of nodes, whole ones, hints, and what can hardly ever start.
REQUESTS = (
    "-N1 --gpus-per-node=1", "-N1 --gpus-per-node=3", "-N2 --gpus-per-node=2",
    "-N1 --gpus-per-node=2", "-N2 --gpus-per-node=2 -C rail", "-N1 --gpus-per-node=1 -c4",
    "-N2 --gpus-per-node=4 -C rail", "-N3 --gpus-per-node=2 -C rail", "-N2 --gpus-per-node=1 -C rail",
    "-N2 --gpus-per-node=4 --exclusive -C rail", "-N2 --gpus=8 -C tp4", "-N1-3 --gpus-per-node=2 -C tp2",
    "--gpus=6", "-n4 --gpus-per-task=1", "-N4 --gpus-per-node=8 -C rail", "-N6 --gpus-per-node=7 -C rail",
    "-N2 --gpus-per-node=h100:3 -C leaf&rail", "-N1 --gpus-per-node=4 --gres-flags=enforce-binding",
    "-N2 --gpus-per-node=4 -C rail --gres-flags=enforce-binding", "-N2 -c30 --mem=1 --gpus-per-node=1",
)


class Walk:
    """Random steps on a cluster, the same choices in every run."""

    def __init__(self, cluster, seed, requeues=False):
        self.cluster = cluster
        self.random = random.Random(seed)
        self.requeues = requeues
        self.log = cluster.directory / "log" / "slurmctld.log"

    def starts(self):
        return len(re.findall(r"(?:Started|Allocate) JobId", self.log.read_text()))

    def submit(self):
        request = self.random.choice(REQUESTS)
        partition = self.random.choice(("low", "low", "high"))
        tasks = self.random.randrange(40)
        minutes = self.random.randrange(1, 60)
        words = f"{request} -p {partition} --array=0-{tasks} --mem=1 --time={minutes}".split()
        self.cluster.try_command("sbatch", *words, "--wrap", "sleep 600")

    def steps(self):
        """One round: jobs come and go."""
        queue = self.cluster.queue_by_name()
        running = [job for job, state in queue.items() if state != "PENDING"]
        for _ in range(2 if len(queue) < QUEUE else 0):
            self.submit()
        self.random.shuffle(running)
        cut = len(running) * 2 // 3
        if running[:cut]:
            self.cluster.try_command("scancel", *running[:cut])
        if self.requeues and running[cut:cut + 2]:
            self.cluster.try_command("scontrol", "requeue", ",".join(running[cut:cut + 2]))
        if len(queue) >= QUEUE:
            waiting = [job for job, state in queue.items() if state == "PENDING"]
            self.cluster.try_command("scancel", *self.random.sample(waiting, len(waiting) // 2))

    def until(self, starts, end=lambda: False):
        rounds = 0
        while self.starts() < starts and not end():
            self.steps()
            rounds += 1
            if rounds % 5 == 0:
                assert_books_exact(self.cluster)
            assert rounds < starts, f"{self.starts()} starts only in {rounds} rounds"
        self.cluster.try_command("scancel", "-u", "root")
        self.cluster.wait_for(lambda: not self.cluster.queue(), 60, "an empty queue")
        assert_books_exact(self.cluster)


def used_by_nodes(cluster):
    """{node: "gpu:h100:3(IDX:0-2)"}: what Slurm counts as used."""
    records = slurm_text.parse_records(cluster.command("scontrol", "show", "node", "-d"))
    return {record["NodeName"]: record["GresUsed"] for record in records}


def held_by_jobs(cluster):
    """{node: [GPU indices, of one job after the other]}."""
    held = collections.defaultdict(list)
    for text in cluster.command("scontrol", "show", "job", "-d").split("\n\n"):
        if "JobState=RUNNING" in text or "JobState=CONFIGURING" in text:
            for node, line in slurm_text.parse_record(text)["NODES"].items():
                held[node] += sorted(slurm_text.gpu_indices(line.get("GRES", "")))
    return held


def assert_books_exact(cluster):
    """Indices and counts of the nodes are the sum of the jobs', and no GPU is held twice."""
    books = {}

    def still():  # nothing starts or ends between the looks at nodes and jobs
        before = used_by_nodes(cluster)
        books["held"] = held_by_jobs(cluster)
        books["used"] = used_by_nodes(cluster)
        return before == books["used"]

    cluster.wait_for(still, 60, "a moment without a start or an end")
    for node, used in books["used"].items():
        held = books["held"][node]
        assert len(held) == len(set(held)), f"{node}: {held}"
        assert slurm_text.gpu_indices(used) == set(held), f"{node}: {used}, jobs have {held}"
        assert int(re.match(r"gpu:h100:(\d+)", used).group(1)) == len(held), f"{node}: {used}"


def assert_nothing_complained(cluster):
    """Slurm's own checks: counts that would fall below zero, GPUs given twice."""
    text = (cluster.directory / "log" / "slurmctld.log").read_text()
    assert not re.findall(r".*(?:underflow|overallocated|bitmap overlap|size mismatch).*", text)


def assert_all_gpus_can_be_had(cluster):
    """A GPU that is still hidden is in no count: only a job that needs every one would miss it."""
    count = len(cluster.shape.nodes)
    for options in (f"-N{count} --gpus-per-node={cluster.shape.gpus}",
                    f"-N{count} --gpus-per-node=h100:{cluster.shape.gpus}"):
        job = cluster.wait_running(cluster.sbatch(f"{options} --mem=1"))
        cluster.command("scancel", job)
        cluster.wait_for(lambda: not cluster.queue(), 60, "an empty queue")


def test_random_walk_leaves_the_books_exact(new_cluster):
    cluster = new_cluster(shapes.servers(2, 2, 8), **HOW)
    walk = Walk(cluster, seed=1)
    walk.until(STARTS)
    assert_nothing_complained(cluster)
    assert_all_gpus_can_be_had(cluster)


def test_requeue_and_preemption_leave_the_books_exact(new_cluster):
    cluster = new_cluster(shapes.servers(1, 2, 3), **{
        **HOW, "cloud": False, "extra": (EXTRA[0], "PreemptMode=REQUEUE", EXTRA[2])})
    Walk(cluster, seed=3, requeues=True).until(STARTS // 8)
    assert_nothing_complained(cluster)
    assert_all_gpus_can_be_had(cluster)


def test_errors_inside_leave_the_books_exact(new_cluster, tmp_path):
    """Scenario 9: allocations fail all over our plugin."""
    library = conf.find_built("ym_bad_alloc.so")
    if library is None:
        pytest.fail("no ym_bad_alloc.so in the build folder: build it first")
    trigger = tmp_path / "fail"
    cluster = new_cluster(shapes.servers(2, 2, 8), **HOW,
                          ctld_env={"LD_PRELOAD": str(library), "YM_BAD_ALLOC": str(trigger)})
    log = cluster.directory / "log" / "slurmctld.log"

    def errors():
        return len(re.findall(r"yardmaster: .*internal error", log.read_text()))

    trigger.touch()
    Walk(cluster, seed=2).until(STARTS, end=lambda: errors() >= 400)
    trigger.unlink()
    assert errors() >= 100
    assert_nothing_complained(cluster)
    assert_all_gpus_can_be_had(cluster)
