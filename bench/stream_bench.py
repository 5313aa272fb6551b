#!/usr/bin/python3
"""The same job stream through real slurmctlds: stock flat, stock with topology plugins, ours.

Run by ./dev bench stream; needs root and Debian's Slurm packages, like the tests on real daemons.
"""

import argparse
import pathlib
import statistics
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "stream"), str(HERE / "common"), str(HERE.parent / "tests" / "cluster")]
import cloud  # noqa: E402
import conf  # noqa: E402
import contender  # noqa: E402
import machine  # noqa: E402
import mix  # noqa: E402
import shape as shapes  # noqa: E402
import timed  # noqa: E402

HEAD = ("", "jobs", "jobs/s", "jobs/cpu-s", "decision ms", "p99 ms", "leaf groups", "pods",
        "on spare pods")

COLUMNS = """jobs/s: by the clock, from letting the wave go to the last start; jobs/cpu-s: in one second of
slurmctld's processor time. decision: one RUN_NOW, processor time of its thread. leaf groups, pods:
touched by a job, on average; on spare pods: jobs on more pods than their size needs.
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=10000, help="nodes of the clusters")
    parser.add_argument("--jobs", type=int, default=400, help="jobs of a wave, at most")
    return parser.parse_args()


def contenders(directory, shape, timer):
    """Every way to place jobs that is compared, stock's first."""
    kinds = [("flat", {}), ("tree", {"topology": "tree"})]
    if conf.has_plugin("topology_block"):
        kinds.append(("block", {"topology": "block"}))
    return [contender.Contender(name, directory, shape, timer, **how)
            for name, how in [*kinds, ("ours", {"ours": True})]]


def cells(name, outcome):
    decisions = sorted(outcome.decisions)
    return [name, str(outcome.jobs), f"{outcome.jobs / outcome.wall_s:.1f}",
            f"{outcome.jobs / outcome.cpu_s:.1f}", f"{statistics.median(decisions):.2f}",
            f"{decisions[int(len(decisions) * 0.99)]:.2f}",
            f"{statistics.mean(outcome.leaf_groups):.2f}", f"{statistics.mean(outcome.pods):.2f}",
            str(outcome.spare_pods)]


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    return "\n".join("  ".join(text.ljust(width) if i == 0 else text.rjust(width)
                               for i, (text, width) in enumerate(zip(row, widths)))
                     for row in rows)


def compare(outcomes):
    """Ours against stock without topology, in one line a wave."""
    flat, ours = outcomes["flat"], outcomes["ours"]
    decision = statistics.median(ours.decisions) / statistics.median(flat.decisions)
    jobs = (ours.jobs / ours.cpu_s) / (flat.jobs / flat.cpu_s)
    wall = (ours.jobs / ours.wall_s) / (flat.jobs / flat.wall_s)
    return (f"ours / flat: a decision costs {decision:.3f}, {wall:.1f} times as many jobs a second, "
            f"{jobs:.1f} times as many in a second of slurmctld's processor time")


def run(options, directory, timer):
    shape = shapes.large(options.nodes)
    waves = mix.waves(options.jobs, options.nodes)
    outcomes = {wave.title: {} for wave in waves}
    for side in contenders(directory, shape, timer):
        with side.cluster:
            cloud.wake(side.cluster)
            for wave in waves:
                outcomes[wave.title][side.name] = side.run(wave)
    print(f"A stream of jobs on {len(shape.nodes)} nodes of {shape.gpus} GPUs.\n"
          f"{machine.described()}\n{COLUMNS}")
    for title, by_site in outcomes.items():
        print(f"{title}\n{table([HEAD, *(cells(*item) for item in by_site.items())])}")
        print(f"{compare(by_site)}\n")
    return 0


def main():
    options = arguments()
    return timed.run("stream_bench", lambda *folders: run(options, *folders))


if __name__ == "__main__":
    sys.exit(main())
