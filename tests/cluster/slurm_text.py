"""Reading what Slurm's commands print."""

import re

# Values of these may hold blanks and '=', and stand alone on their line of `scontrol show job`.
_WHOLE_LINE = {"AdminComment", "Comment", "SystemComment", "Command", "WorkDir", "StdErr", "StdIn",
               "StdOut", "Reason", "OS"}
_PAIR = re.compile(r"(?:^|\s)([A-Za-z][\w:/]*)=")


def _pairs(line):
    marks = list(_PAIR.finditer(line))
    for here, following in zip(marks, marks[1:] + [None]):
        yield here.group(1), line[here.end():following.start() if following else None].strip()


def parse_record(text):
    """One record of `scontrol show ...` as a dict. "NODES" holds the per-node lines of `-d`:
    {node: {"CPU_IDs": .., "Mem": .., "GRES": ..}}."""
    record = {"NODES": {}}
    for line in text.splitlines():
        line = line.strip()
        key = line.partition("=")[0]
        if key in _WHOLE_LINE:
            record[key] = line.partition("=")[2]
            continue
        pairs = dict(_pairs(line))
        if "Nodes" in pairs and "CPU_IDs" in pairs:
            for node in expand(pairs.pop("Nodes")):
                record["NODES"][node] = pairs
        else:
            record.update(pairs)
    return record


def parse_records(text):
    """The records of `scontrol show ...`, which blank lines separate."""
    return [parse_record(block) for block in re.split(r"\n\s*\n", text) if "=" in block]


def numbers(text):
    """"0-2,7" -> {0, 1, 2, 7}; "" and "N/A" -> an empty set."""
    result = set()
    for part in text.split(","):
        if part and part != "N/A":
            first, _, last = part.partition("-")
            result.update(range(int(first), int(last or first) + 1))
    return result


def gpu_indices(gres):
    """"gpu:h100:8(IDX:0-3,6)" -> {0, 1, 2, 3, 6}."""
    return set().union(*(numbers(match) for match in re.findall(r"gpu[^()]*\(IDX:([^)]*)\)", gres)))


def expand(hostlist):
    """"yard[01-03,07],x1" -> ["yard01", "yard02", "yard03", "yard07", "x1"]."""
    names = []
    for prefix, ranges in re.findall(r"([^,\[\]]+)(?:\[([^\]]*)\])?", hostlist):
        if not ranges:
            names.append(prefix)
            continue
        for part in ranges.split(","):
            first, _, last = part.partition("-")
            for number in range(int(first), int(last or first) + 1):
                names.append(f"{prefix}{number:0{len(first)}}")
    return [name for name in names if name != "(null)"]
