"""One of the two clusters that are compared, and the questions it is asked."""

import datetime
import re

import cloud
import timed
import timing

# slurmctld decides when it is asked, and else leaves the machine alone.
QUIET = "SchedulerParameters=batch_sched_delay=0,bf_interval=3600,sched_interval=3600"
ANSWER = re.compile(r"(Granted|Pending) job allocation (\d+)")
PLANNED = re.compile(r"Job (\d+) to start at (\S+)")


class Unmeasured(Exception):
    """A question was not answered as its case expects."""


class Side:
    """A timed cluster with stock's select plugin, or ours."""

    def __init__(self, name, ours, directory, shape, timer, topology=""):
        self.name = name
        self.ours = ours
        self.topology = topology  # Slurm's own plugin of that name, with the shape's switches
        self.cluster, self.timings = timed.cluster(directory / name, shape, timer, ours, topology,
                                                   QUIET)

    # --- preparing -----------------------------------------------------------------------------

    def wake(self):
        cloud.wake(self.cluster)
        self.timings.new_calls()

    def fill(self, holdings):
        """Runs one job for each (nodes, minutes)."""
        jobs = [self.cluster.occupy(nodes, options=f"--time={minutes}", wait=False)
                for nodes, minutes in holdings]
        self.cluster.wait_for(lambda: "PENDING" not in self.cluster.queue().values(), 120,
                              f"{len(jobs)} jobs to fill the cluster")
        self.timings.new_calls()

    # --- asking --------------------------------------------------------------------------------

    def _words(self, job):
        hint = [f"--constraint={job.hint}"] if job.hint and self.ours else []
        return [f"-N{job.nodes}", f"--gpus-per-node={self.cluster.shape.gpus}", *hint]

    def submit(self, job):
        """The calls of a submission that asks only whether the job can ever run."""
        number = self.cluster.sbatch([*self._words(job), "--begin=now+1hour"])
        self.cluster.command("scancel", number)
        return [call for call in self.timings.new_calls() if call.job == number]

    def allocate(self, job, starts, look=False):
        """The calls of an attempt to start the job at once, and the nodes it got (with `look`).
        `starts`: what the answer must be; None: either."""
        salloc = self.cluster.spawn("salloc", "--no-shell", *self._words(job))
        try:
            said = ""
            while not (answer := ANSWER.search(said)):
                line = salloc.stdout.readline()
                if not line:
                    raise Unmeasured(f"salloc {job}: {said.strip()}")
                said += line
            number = int(answer.group(2))
            granted = answer.group(1) == "Granted"
            nodes = self.cluster.nodes_of(number) if look and granted else []
            self.cluster.command("scancel", number)
        finally:
            salloc.kill()  # it would wait for nodes that never boot
            salloc.communicate()
        if starts is not None and granted != starts:
            raise Unmeasured(f"{job}: {answer.group(1)}, which was not expected")
        return timing.first_attempt(self.timings.new_calls(), number), nodes

    def plan(self, job):
        """The call of a question for the job's start, and the answer."""
        done = self.cluster.try_command("sbatch", "--test-only", *self._words(job), "--wrap", "true")
        answer = PLANNED.search(done.stderr)
        if not answer:
            raise Unmeasured(f"sbatch --test-only {job}: {done.stderr.strip()}")
        calls = [call for call in self.timings.new_calls() if call.job == int(answer.group(1))]
        return calls, datetime.datetime.fromisoformat(answer.group(2))
