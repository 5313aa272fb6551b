"""The benchmark's table."""

import re
import statistics

import machine

HEAD = ("job", "slurmctld asks", "stock", "ours", "ratio", "stock", "ours", "ratio", "n",
        "stock / ours")
SHAPES = ("<", "<", ">", ">", ">", ">", ">", ">", ">", "<")


class Row:
    """One question about one kind of job: what it took on both sides, and what came of it."""

    def __init__(self, job, question):
        self.job = job
        self.question = question
        self._notes = {}  # what -> {side: value}
        self._samples = {"stock": [], "ours": []}

    def add(self, side, calls):
        """The calls that together answered the question once."""
        self._samples[side].append((sum(call.wall_ms for call in calls),
                                    sum(call.cpu_ms for call in calls)))

    def note(self, side, what, value):
        """What came of it, e.g. ("stock", "pods", 3)."""
        self._notes.setdefault(what, {})[side] = value

    def _medians(self, clock):
        stock, ours = (statistics.median(sample[clock] for sample in self._samples[side])
                       for side in ("stock", "ours"))
        return [f"{stock:.2f}", f"{ours:.2f}", f"{ours / stock:.3f}"]

    def cells(self):
        """The row's texts; None when a side has no measurement."""
        count = min(len(samples) for samples in self._samples.values())
        if count == 0:
            return None
        return [self.job, self.question, *self._medians(0), *self._medians(1), str(count),
                self._note()]

    def _note(self):
        return ", ".join(f"{what} {value.get('stock', '?')} / {value.get('ours', '?')}"
                         for what, value in self._notes.items())


def heading(shape):
    """What was measured, and on what."""
    return (
        f"Time of one decision with {len(shape.nodes)} nodes of {shape.gpus} GPUs: stock cons_tres,\n"
        f"and ours in front of it, asked in turns. {machine.described()}\n"
        "Medians in milliseconds; ratio is ours / stock. \"cpu\" counts slurmctld's thread alone, and\n"
        "is the one to compare when other programs keep the machine busy.\n")


def _aligned(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    return ["  ".join(f"{text:{align}{width}}" for text, align, width in zip(line, SHAPES, widths))
            .rstrip() for line in lines]


def table(sections):
    """The text of [(title, [Row])], aligned, and how many rows were not measured."""
    rows, titles = [HEAD], {}
    missing = 0
    for title, measured in sections:
        titles[len(rows)] = title
        cells = [row.cells() for row in measured]
        missing += cells.count(None)
        rows += [row for row in cells if row]
    lines = _aligned(rows)
    wall, cpu = [match.start() for match in re.finditer("stock", lines[0])][:2]
    text = [" " * wall + f"{'wall':<{cpu - wall}}cpu", lines[0]]
    for number, line in enumerate(lines[1:], start=1):
        if number in titles:
            text += ["", titles[number]]
        text.append(line)
    return "\n".join(text), missing
