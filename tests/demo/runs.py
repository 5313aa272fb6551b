"""One way of placing jobs on a demo cluster: submit as a user, see where they run, judge it."""

import json

import conf
import facts
import picture

USER = "nobody"  # who submits the demo's jobs
TRAIN = """#!/bin/bash
# Stands in for a training job: notes each time that it begins, then holds its servers. The note is
# not left to Slurm's output file, which a requeued job overwrites.
echo "job $SLURM_JOB_ID began on $SLURM_JOB_NODELIST" >>began-$SLURM_JOB_ID
sleep 3600
"""


def topologies():
    """Slurm's own topology plugins that know switches or blocks, as far as this Slurm has them."""
    return [name for name in ("tree", "block") if conf.has_plugin(f"topology_{name}")]


def prepare(cluster):
    """Puts train.sh where the user submits from."""
    script = cluster.directory / "jobs" / "train.sh"
    script.write_text(TRAIN)
    script.chmod(0o755)


def began(cluster, job):
    """Where the job's script has begun so far, one line a time."""
    path = cluster.directory / "jobs" / f"began-{job}"
    return path.read_text() if path.exists() else ""


def submit(screen, cluster, letter, options):
    """Runs sbatch as the user, shows it, and returns the job's number."""
    words = ["sbatch", "-J", letter, *options.split(), "train.sh"]
    printed = cluster.command(*words, user=USER)
    screen.command(" ".join(f"'{word}'" if "&" in word else word for word in words), printed)
    return int(printed.split()[-1])


def wait_running(screen, cluster, jobs, what):
    with screen.step(what):
        for job in jobs:
            cluster.wait_running(job, timeout=90)


def yardmaster(cluster, *words, codes=(0, 1)):
    """What `yardmaster WORDS` prints. Exit code 1 is an answer too: it has found something."""
    program = conf.find_built("yardmaster")
    done = cluster.try_command(program, *words)
    if done.returncode not in codes:
        raise RuntimeError(f"yardmaster {' '.join(map(str, words))}: exit {done.returncode}\n"
                           f"{done.stdout}{done.stderr}")
    return done.stdout


def judge(screen, cluster, jobs, tp, hinted):
    """{letter: Facts} of running jobs, after a comparison with `yardmaster explain`, which knows
    the tp size only of jobs that were submitted with the hint."""
    result = {}
    for letter, job in jobs.items():
        nodes = cluster.nodes_of(job)
        result[letter] = facts.facts(cluster.shape, nodes, tp)
        ours = facts.facts(cluster.shape, nodes, tp if hinted else None)
        theirs = facts.from_explain(json.loads(yardmaster(cluster, "explain", job, "--json")))
        if ours != theirs:
            screen.check(False, f"yardmaster explain {job} counts as the demo does: "
                         f"{theirs} against {ours}")
    return result


def who(cluster, jobs, busy):
    """{node: mark} for the picture."""
    marks = {node: picture.BUSY for node in busy}
    marks |= {node: picture.DRAINED for node in cluster.drained()}
    for letter, job in jobs.items():
        marks |= {node: letter for node in cluster.nodes_of(job)}
    return marks
