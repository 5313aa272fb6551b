#!/usr/bin/python3
"""Shows what Yardmaster does, on a Slurm cluster that it starts on this machine. Run: ./dev demo"""

import argparse
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cluster")]
import conf  # noqa: E402
import jobs  # noqa: E402
import racks  # noqa: E402
import servers  # noqa: E402
import ymcluster  # noqa: E402
from screen import Screen  # noqa: E402

NEEDED = ("select_cons_tres.so", "job_submit_yardmaster.so", "yardmaster", "yardmaster-prolog",
          "ym-sim-node")


def arguments():
    parser = argparse.ArgumentParser(prog="./dev demo", description=__doc__)
    parser.add_argument("--keep", action="store_true",
                        help="leave the cluster running at the end, with instructions")
    parser.add_argument("--topology", action="store_true",
                        help="place the first jobs with Slurm's own topology plugins as well: "
                        "topology/tree, and topology/block where Slurm has it")
    return parser.parse_args()


def check_machine():
    usable, missing = ymcluster.available()
    if not usable:
        sys.exit(f"ALL SKIPPED: {missing}")  # tests/CMakeLists.txt looks for these words
    absent = [name for name in NEEDED if conf.find_built(name) is None]
    if absent:
        sys.exit(f"demo: not built in {conf.build_dir()}: {', '.join(absent)}; run ./dev demo")


def opening(screen):
    screen.line()
    screen.line("  " + screen.paint("Yardmaster: jobs placed by NVLink, rail and switch; nodes with "
                                    "a bad link drained first", "bold"))
    screen.line()
    screen.say("""A cluster of 16 servers with 8 GPUs each starts on this machine: 2 pods of 2 leaf
        groups of 4 servers, with names that say nothing about where a server stands.""")
    screen.line()
    for kind, what in (
            ("real:", "slurmctld, slurmd, munge, sbatch and the rest of Slurm; Yardmaster's plugins,"),
            ("", "prolog and commands; every placement, drain and number below"),
            ("simulated:", "GPUs and NICs (a fake libnvidia-ml, a made-up /sys); the jobs only sleep")):
        screen.line(f"  {screen.paint(f'{kind:<11}', 'bold')} {what}")


def kept(screen, cluster):
    tools = HERE.parent / "cluster" / "ymcluster"
    built, sim = conf.find_built("yardmaster").parent, conf.find_built("ym-sim-node")
    node = cluster.shape.leaf("leaf4")[0]
    screen.chapter("The cluster runs on (--keep); as root:")
    for comment, lines in (
            ("use it", [f'eval "$({tools} env {cluster.directory})"', f"PATH={built}:$PATH",
                        f"cd {cluster.directory}/jobs"]),
            ("submit", ["sbatch -N4 --gpus-per-node=8 -C tp8 train.sh"]),
            ("look", ["squeue; sinfo -R; yardmaster drains; yardmaster explain JOBID"]),
            (f"slow a link of {node}, then submit again",
             [f"{sim} set-rate {cluster.directory}/sim/{node} mlx5_0 200"]),
            ("repair it", [f"{sim} heal {cluster.directory}/sim/{node}",
                           f"scontrol update NodeName={node} State=RESUME"]),
            ("stop", [f"{tools} stop {cluster.directory}; rm -r {cluster.directory.parent}"])):
        screen.line(screen.paint(f"  # {comment}", "dim"))
        for line in lines:
            screen.line(f"  {line}")


def closing(screen, seconds, keep):
    screen.line()
    if screen.failures:
        screen.line(screen.paint("  What the demo expects and did not see:", "bad"))
        for text in screen.failures:
            screen.line(f"  - {text}")
        return
    more = "" if keep else " ./dev demo --keep leaves the cluster to play with."
    screen.say(f"""The demo took {seconds:.0f} s. Read next: README.md, and docs/fabric-file.md to
        describe your own switches.{more}""")


def on_failure(screen, cluster, error):
    """What went wrong, with the end of the logs; the folder stays."""
    screen.line()
    screen.line(f"demo: {screen.paint(type(error).__name__, 'bad')}: {error}")
    if not isinstance(error, TimeoutError):  # which brings the diagnosis along
        screen.line(cluster.diagnosis())
    screen.line(f"demo: failed; logs are kept in {cluster.directory}/log")


def stop_signals():
    """A second Ctrl-C, or the end of the terminal, does not interrupt the stopping."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def interrupted(number, _frame):
    raise KeyboardInterrupt(number)


def run(screen, story, base, keep):
    """Tells the story; returns the exit code and whether the cluster shall stay."""
    began = time.monotonic()
    try:
        story.tell()
        racks.tell(screen, base / "racks")
        closing(screen, time.monotonic() - began, keep)
    except KeyboardInterrupt:
        screen.line("  interrupted")
        return 130, False
    except (OSError, RuntimeError, jobs.CommandFailed, LookupError, ValueError) as error:
        on_failure(screen, story.cluster, error)
        return 1, False
    if keep:
        kept(screen, story.cluster)
    return (1 if screen.failures else 0), keep


def main():
    args = arguments()
    check_machine()
    screen = Screen()
    base = pathlib.Path(tempfile.mkdtemp(prefix="ym-demo-", dir="/tmp"))
    base.chmod(0o755)  # the user whose jobs run reads train.sh below it
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    story = servers.Servers(screen, base / "yard", args.topology, guard=not args.keep)
    opening(screen)
    code, stay = run(screen, story, base, args.keep)
    stop_signals()
    if not stay:
        with screen.step("stopping the daemons"):
            story.cluster.stop()
            ymcluster.stop_directory(base / "racks")
    shutil.rmtree(base / "racks" if stay or code == 1 else base, ignore_errors=True)
    sys.exit(code)


if __name__ == "__main__":
    os.umask(0o022)
    main()
