#!/usr/bin/python3
"""How long one placement decision takes: stock Slurm and ours, side by side on simulated clusters.

Run by ./dev bench; needs root and Debian's Slurm packages, like the tests on real daemons.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "decision"), str(HERE / "common"),
                str(HERE.parent / "tests" / "cluster")]
import cases  # noqa: E402
import jobs  # noqa: E402
import report  # noqa: E402
import shape as shapes  # noqa: E402
import side as sides  # noqa: E402
import timed  # noqa: E402

FEWEST = 3  # repetitions, however slow the machine
LEAF, RACK = 32, 18  # nodes


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=10000, help="nodes of the clusters")
    parser.add_argument("--quick", action="store_true", help="every question twice, not five times")
    parser.add_argument("--topology", choices=("tree", "block"), default="",
                        help="give stock Slurm the switches through its own topology plugin")
    parser.add_argument("--racks", action="store_true",
                        help="NVL72 racks, where one NVLink domain holds 18 nodes, not servers")
    parser.add_argument("--calibrate", action="store_true",
                        help="stock on both sides: how far from 1 chance takes the ratios")
    parser.add_argument("--seconds", type=float, default=120,
                        help="about how long to measure; less repetitions where it is too short")
    return parser.parse_args()


def both(pair, action):
    """Does something to both sides at once, where nothing is measured."""
    with concurrent.futures.ThreadPoolExecutor(len(pair)) as pool:
        list(pool.map(action, pair))


def ask(state, pair, repeats, fewest, deadline):
    """Asks both sides in turns. Returns what went wrong, as texts."""
    failures = []
    for repeat in range(repeats):
        if repeat >= fewest and time.monotonic() > deadline:
            break
        for case in state.cases:
            for side in pair:
                try:
                    case.measure(side, repeat == 0)
                except (sides.Unmeasured, jobs.CommandFailed) as failure:
                    failures.append(f"{side.name}: {failure}")
    return failures


def measure(pair, states, repeats, seconds):
    failures = []
    questions = sum(len(state.cases) for state in states)
    both(pair, lambda side: side.wake())
    for state in states:
        both(pair, lambda side: side.fill(state.holdings))  # pylint: disable=cell-var-from-loop
        share = seconds * len(state.cases) / questions
        failures += ask(state, pair, repeats, min(FEWEST, repeats), time.monotonic() + share)
    return failures


def compare_starts(states):
    """What the planned starts of jobs without hard hints are like, in one line each."""
    plans = [case for state in states for case in state.cases
             if isinstance(case, cases.Plan) and case.soft and len(case.starts) == 2]
    late = [case for case in plans
            if (case.starts["ours"] - case.starts["stock"]).total_seconds() > 60]
    if not late:
        return [f"{len(plans)} planned starts of jobs without hints: ours none later than stock's"]
    return [f"LATER THAN STOCK: {case.rows[0].job}: stock plans its start at "
            f"{case.starts['stock']}, ours at {case.starts['ours']}" for case in late]


def shape_of(options):
    """The cluster's shape: whole leaf groups, as topology/block wants them."""
    if options.racks:
        return shapes.nvl72(racks=max(1, options.nodes // RACK), present=RACK)
    return shapes.large(max(LEAF, options.nodes - options.nodes % LEAF), leaf=LEAF)


def run(options, directory, timer):
    shape = shape_of(options)
    states = cases.states(shape, leaves_apart=options.topology == "block")
    pair = [sides.Side("stock", False, directory, shape, timer, options.topology),
            sides.Side("ours", not options.calibrate, directory, shape, timer,
                       options.topology if options.calibrate else "")]
    try:
        for side in pair:
            side.cluster.start()
        failures = measure(pair, states, 2 if options.quick else 5, options.seconds)
        print(report.heading(shape))
        if options.topology:
            print(f"Stock has topology/{options.topology} with the same leaf groups; \"waits\": it "
                  "found no place that it allows.\n")
        if options.calibrate:
            print("Calibration: \"ours\" is stock too; how far the ratios are from 1 is chance.\n")
    finally:
        for side in pair:
            side.cluster.stop()
    text, missing = report.table([(state.title, state.rows) for state in states])
    print(text + "\n")
    for line in compare_starts(states):
        print(line)
    for failure in failures:
        print(f"not measured: {failure}", file=sys.stderr)
    return 1 if failures or missing else 0


def main():
    options = arguments()
    return timed.run("decision_bench", lambda *folders: run(options, *folders))


if __name__ == "__main__":
    sys.exit(main())
