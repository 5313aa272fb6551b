"""The job stream: the same jobs, in the same order, on every run and machine."""

import dataclasses
import random

# Nodes of a job, and how many of a hundred jobs have them: many small ones, and few that fill pods.
SIZES = {1: 30, 2: 10, 4: 15, 8: 15, 16: 12, 32: 10, 64: 6, 128: 2}
SEED = 20240917


@dataclasses.dataclass(frozen=True)
class Wave:
    """Jobs that are let go at once, and how many of all running jobs end before."""

    title: str
    sizes: tuple  # nodes of each job
    ending: float  # part of the running jobs, chosen by their place in the stream


def waves(jobs, nodes):
    """A wave onto an empty cluster; then half of the jobs end here and there, and another one comes
    onto what they left. Together they always fit: what is measured is choosing, not waiting."""
    draw = random.Random(SEED)
    fitting = {size: share for size, share in SIZES.items() if size <= nodes // 8}

    def sizes(count, room):
        taken = []
        while len(taken) < count:
            size = draw.choices(list(fitting), list(fitting.values()))[0]
            if sum(taken) + size > room:
                break
            taken.append(size)
        return tuple(taken)

    first = sizes(jobs, int(nodes * 0.9))
    left = nodes - sum(first[1::2])
    return [Wave("onto an empty cluster", first, 0),
            Wave("after every other job has ended", sizes(jobs, int(left * 0.9)), 0.5)]
