"""What is asked: states of the cluster, and jobs."""

import dataclasses

import timing
from report import Row
from side import Unmeasured

SIZES = (1, 4, 64, 512)
HINTS = ("", "tp8")
FREE_PER_LEAF = 3  # nodes that stay free in every leaf group of the nearly full cluster
LEAVES_PER_JOB = 3  # leaf groups that one job of the filling holds
FIRST_END, NEXT_END = 60, 7  # minutes: time limits of the filling, one after the other


@dataclasses.dataclass(frozen=True)
class Job:
    """A job with all GPUs of its nodes."""

    nodes: int
    hint: str  # given to ours only: stock has none

    def __str__(self):
        return f"{self.nodes} node{'s' if self.nodes > 1 else ''}{', ' if self.hint else ''}{self.hint}"


class Submit:
    """Can the job ever run? Asked at sbatch."""

    def __init__(self, job):
        self._job = job
        self.rows = [Row(str(job), "TEST_ONLY at submit")]

    def measure(self, side, _first):
        calls = side.submit(self._job)
        if [call.mode for call in calls] != [timing.TEST_ONLY] or calls[0].code:
            raise Unmeasured(f"submit {self._job}: {calls}")
        self.rows[0].add(side.name, calls)


class Start:
    """A job that starts: one call, and where the job lands."""

    def __init__(self, job):
        self._job = job
        self.rows = [Row(str(job), "RUN_NOW")]

    def measure(self, side, first):
        calls, nodes = side.allocate(self._job, starts=True, look=first)
        self.rows[0].add(side.name, calls)
        if first:
            shape = side.cluster.shape
            self.rows[0].note(side.name, "leaf groups", len(set(map(shape.leaf_of, nodes))))
            self.rows[0].note(side.name, "pods", len(set(map(shape.pod_of, nodes))))


class Refused:
    """A job that has no place now: slurmctld asks at once whether it ever will."""

    def __init__(self, job):
        self._job = job
        self.rows = [Row(str(job), what) for what in ("RUN_NOW", "+ TEST_ONLY", "= one attempt")]

    def measure(self, side, _first):
        calls, _ = side.allocate(self._job, starts=False)
        now, ever = calls[:1], calls[1:]
        if not ever or any(call.mode != timing.TEST_ONLY for call in ever):
            raise Unmeasured(f"{self._job}: {calls}")
        for row, part in zip(self.rows, (now, ever, calls)):
            row.add(side.name, part)


class RefusedByHint:
    """A job that our hint keeps waiting where stock, which has no such hint, starts it."""

    def __init__(self, job):
        self._job = job
        self.rows = [Row(str(job), "one attempt")]

    def measure(self, side, first):
        calls, _ = side.allocate(self._job, starts=not side.ours)
        self.rows[0].add(side.name, calls)
        if first:
            self.rows[0].note(side.name, "job", "waits" if side.ours else "starts")


class Plan:
    """Backfill's question: when and where?"""

    def __init__(self, job):
        self._job = job
        self.soft = not job.hint
        self.starts = {}  # of the side, first answer
        self.rows = [Row(str(job), "WILL_RUN")]

    def measure(self, side, first):
        calls, start = side.plan(self._job)
        if any(call.mode != timing.WILL_RUN for call in calls):
            raise Unmeasured(f"plan {self._job}: {calls}")
        self.rows[0].add(side.name, calls)
        if first:
            self.starts[side.name] = start
            self.rows[0].note(side.name, "start", f"{start:%H:%M}")


class State:
    """A state of the cluster, with what is asked in it."""

    def __init__(self, title, holdings, cases):
        self.title = title
        self.holdings = holdings  # [(nodes, minutes)] that are taken to get here from the one before
        self.cases = cases

    @property
    def rows(self):
        return [row for case in self.cases for row in case.rows]


def _jobs(most):
    return [Job(nodes, hint) for nodes in SIZES if nodes <= most for hint in HINTS]


def _in_leaves(leaves, part):
    """[(nodes, minutes)]: a job for every few leaf groups, which end one after the other."""
    parts = [[node for leaf in leaves[i:i + LEAVES_PER_JOB] for node in leaf.nodes[part]]
             for i in range(0, len(leaves), LEAVES_PER_JOB)]
    return [(nodes, FIRST_END + NEXT_END * i) for i, nodes in enumerate(parts) if nodes]


def states(shape):
    """The states, in the order in which one follows from the other."""
    taken = _in_leaves(shape.leaves, slice(FREE_PER_LEAF, None))
    rest = [node for leaf in shape.leaves for node in leaf.nodes[:FREE_PER_LEAF]]
    last = max(minutes for _, minutes in taken) + NEXT_END
    jobs, leaf_job = _jobs(len(shape.nodes)), Job(FREE_PER_LEAF + 1, "leaf")
    return [
        State("empty cluster", [],
              [Submit(job) for job in jobs] + [Start(job) for job in jobs]),
        State(f"nearly full: {FREE_PER_LEAF} free nodes in each leaf group",
              taken,
              [Start(job) for job in _jobs(len(rest))] + [RefusedByHint(leaf_job), Plan(leaf_job)]),
        State(f"full: {len(taken) + 1} jobs with staggered time limits",
              [(rest, last)], [Refused(job) for job in jobs] + [Plan(job) for job in jobs]),
    ]
