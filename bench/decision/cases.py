"""What is asked: states of the cluster, and jobs."""

import collections
import dataclasses

import timing
from report import Row
from side import Unmeasured

SIZES = (1, 4, 64, 512)
HINTS = ("", "tp8")
TP_NODES = 4  # nodes of one TP group where an NVLink domain holds many
FREE_PER_LEAF = 3  # nodes that stay free in every leaf group of the nearly full cluster
LEAVES_PER_JOB = 3  # leaf groups that one job of the filling holds
FIRST_END, NEXT_END = 60, 7  # minutes: time limits of the filling, one after the other


@dataclasses.dataclass(frozen=True)
class Job:
    """A job with all GPUs of its nodes."""

    nodes: int
    hint: str  # given to ours only: stock has none
    group: int = 1  # nodes of one TP group

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
        # Of Slurm's own topology plugins, block keeps a job waiting that does not fit its blocks.
        calls, nodes = side.allocate(self._job, starts=None if side.topology else True, look=first)
        self.rows[0].add(side.name, calls[:1])
        if first:
            shape = side.cluster.shape
            units = (("leaf groups", shape.leaf_of), ("pods", shape.pod_of))
            for what, unit_of in units:
                self.rows[0].note(side.name, what, len(set(map(unit_of, nodes))) or "waits")
            if shape.domains:
                self.rows[0].note(side.name, "TP groups split", self._split(shape, nodes))

    def _split(self, shape, nodes):
        """TP groups that no order of the ranks keeps inside one NVLink domain."""
        if not nodes:
            return "-"
        group = self._job.group
        in_domain = collections.Counter(map(shape.domain_of, nodes)).values()
        return len(nodes) // group - sum(count // group for count in in_domain)


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
        starts = None if side.topology else not side.ours
        calls, nodes = side.allocate(self._job, starts=starts, look=first)
        self.rows[0].add(side.name, calls)
        if first:
            self.rows[0].note(side.name, "job", "starts" if nodes else "waits")


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


def _jobs(shape, most):
    sizes = [nodes for nodes in SIZES if nodes <= most]
    if not shape.domains:
        return [Job(nodes, hint) for nodes in sizes for hint in HINTS]
    hints = ("", f"tp{TP_NODES * shape.gpus}")
    return [Job(nodes, hint, TP_NODES) for nodes in sizes if nodes % TP_NODES == 0 for hint in hints]


def _in_leaves(leaves, per_job, part):
    """[(nodes, minutes)]: a job for every few leaf groups, which end one after the other."""
    parts = [[node for leaf in leaves[i:i + per_job] for node in leaf.nodes[part]]
             for i in range(0, len(leaves), per_job)]
    return [(nodes, FIRST_END + NEXT_END * i) for i, nodes in enumerate(parts) if nodes]


def states(shape, leaves_apart=False):
    """The states, in the order in which one follows from the other. `leaves_apart`: no job of the
    filling lies in two leaf groups, which topology/block would refuse."""
    taken = _in_leaves(shape.leaves, 1 if leaves_apart else LEAVES_PER_JOB,
                       slice(FREE_PER_LEAF, None))
    free = [leaf.nodes[:FREE_PER_LEAF] for leaf in shape.leaves]
    rest = sum(free, [])
    last = max(minutes for _, minutes in taken) + NEXT_END
    filling = [(nodes, last) for nodes in (free if leaves_apart else [rest])]
    jobs, leaf_job = _jobs(shape, len(shape.nodes)), Job(FREE_PER_LEAF + 1, "leaf")
    return [
        State("empty cluster", [],
              [Submit(job) for job in jobs] + [Start(job) for job in jobs]),
        State(f"nearly full: {FREE_PER_LEAF} free nodes in each leaf group",
              taken,
              [Start(job) for job in _jobs(shape, len(rest))] + [RefusedByHint(leaf_job), Plan(leaf_job)]),
        State(f"full: {len(taken) + len(filling)} jobs with staggered time limits",
              filling, [Refused(job) for job in jobs] + [Plan(job) for job in jobs]),
    ]
