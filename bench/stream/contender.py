"""One way to place jobs: a cluster of CLOUD nodes, and the stream run through it."""

import dataclasses
import os
import pathlib
import time

import slurm_text
import timed
import timing

# The whole queue in one cycle, and no other cycle beside it: the schedulers of a site do the same
# work with pauses in between.
UNBROKEN = ("SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=3600,"
            "default_queue_depth=100000,max_sched_time=600,partition_job_depth=0,"
            "max_rpc_cnt=0,bf_max_job_test=1")
PATIENCE = 1200  # seconds for one wave
SUBMITTERS = 4


@dataclasses.dataclass
class Outcome:
    """One wave by one contender."""

    jobs: int = 0
    wall_s: float = 0  # from letting go to the last start
    cpu_s: float = 0  # slurmctld's, all threads
    decisions: list = dataclasses.field(default_factory=list)  # ms of slurmctld's thread
    leaf_groups: list = dataclasses.field(default_factory=list)  # touched, one entry a job
    pods: list = dataclasses.field(default_factory=list)
    spare_pods: int = 0  # jobs on more pods than their size needs


class Contender:
    """A timed cluster with stock's select plugin, or ours."""

    def __init__(self, name, directory, shape, timer, ours=False, topology=""):
        self.name = name
        self.ours = ours
        self.cluster, self._timings = timed.cluster(directory / name, shape, timer, ours, topology,
                                                    UNBROKEN)
        self._leaf = {node: leaf for leaf in shape.leaves for node in leaf.nodes}
        self._pod_size = max(len(shape.pod(pod)) for pod in {leaf.pod for leaf in shape.leaves})
        self._running = []  # job numbers, in the order of the stream

    def run(self, wave):
        self._end(wave.ending)
        self.cluster.update("PartitionName=main State=DOWN")
        jobs = self._submit(wave.sizes)
        self._timings.new_calls()
        outcome = Outcome(jobs=len(jobs))
        begin, cpu = time.monotonic(), self._cpu_s()
        self.cluster.update("PartitionName=main State=UP")
        self.cluster.wait_for(lambda: not self._pending(), PATIENCE, "the wave to start")
        outcome.wall_s, outcome.cpu_s = time.monotonic() - begin, self._cpu_s() - cpu
        outcome.decisions = [call.cpu_ms for call in self._timings.new_calls()
                             if call.mode == timing.RUN_NOW]
        self._running += jobs
        self._look(set(jobs), outcome)
        return outcome

    def _end(self, part):
        if part == 0:
            return
        step = round(1 / part)
        ending = self._running[1::step]
        del self._running[1::step]
        self.cluster.command("scancel", *ending)
        self.cluster.wait_for(lambda: len(self.cluster.queue()) == len(self._running), 120,
                              "the jobs to end")

    def _submit(self, sizes):
        words = ["--time=1000", *(["--constraint=tp8"] if self.ours else [])]
        return [self.cluster.sbatch([f"-N{size}", f"--gpus-per-node={self.cluster.shape.gpus}",
                                     *words]) for size in sizes]

    def _pending(self):
        return self.cluster.command("squeue", "-h", "-t", "PD", "-o", "%A").split()

    def _cpu_s(self):
        fields = pathlib.Path(f"/proc/{self.cluster.ctld_pid()}/stat").read_text().split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def _look(self, jobs, outcome):
        printed = self.cluster.command("squeue", "-h", "-o", "%A %N")
        for line in printed.splitlines():
            number, _, text = line.partition(" ")
            if int(number) not in jobs:
                continue
            nodes = slurm_text.expand(text.strip())
            pods = len({self._leaf[node].pod for node in nodes})
            outcome.leaf_groups.append(len({self._leaf[node].name for node in nodes}))
            outcome.pods.append(pods)
            outcome.spare_pods += pods > -(-len(nodes) // self._pod_size)
