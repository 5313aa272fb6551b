"""What the timing plugin (timed_hooks.cpp) noted."""

import dataclasses

RUN_NOW, TEST_ONLY, WILL_RUN = 0, 1, 2  # SELECT_MODE_* of Slurm's select.h


@dataclasses.dataclass(frozen=True)
class Call:
    """One select_p_job_test."""

    mode: int
    job: int
    code: int  # 0: there is a place
    wall_ms: float
    cpu_ms: float  # of slurmctld's thread alone
    nodes: int  # chosen; 0 without a place


def _parse(line):
    mode, job, code, wall_ns, cpu_ns, nodes = line.split()
    return Call(int(mode), int(job), int(code), int(wall_ns) / 1e6, int(cpu_ns) / 1e6, int(nodes))


class TimingFile:
    """The plugin's file, read piece by piece while slurmctld writes."""

    def __init__(self, path):
        self._path = path
        self._read = 0

    def new_calls(self):
        """The calls noted since the last time."""
        if not self._path.exists():
            return []
        with open(self._path, encoding="ascii") as file:
            file.seek(self._read)
            text = file.read()
        whole = text[:text.rfind("\n") + 1]
        self._read += len(whole)
        return [_parse(line) for line in whole.splitlines()]


def first_attempt(calls, job):
    """Of a job's calls, those of its first scheduling attempt: RUN_NOW, and the TEST_ONLY that
    slurmctld adds when there is no place. Later ones are the scheduler's, which looks at a waiting
    job again whenever it likes."""
    own = [call for call in calls if call.job == job]
    starts = [i for i, call in enumerate(own) if call.mode == RUN_NOW] + [len(own)] * 2
    return own[starts[0]:starts[1]]
