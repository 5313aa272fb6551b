"""Submitting jobs to a cluster and asking what became of them."""

import os
import pwd
import shlex
import subprocess

import slurm_text


class CommandFailed(Exception):
    """A Slurm command that did not succeed; `stderr` is what it said."""

    def __init__(self, command, done):
        super().__init__(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        self.stdout, self.stderr, self.returncode = done.stdout, done.stderr, done.returncode


class Jobs:
    """The part of Cluster that talks to Slurm."""

    # --- commands ------------------------------------------------------------------------------

    def try_command(self, *command, user=None, bare=None, timeout=60, stdin=None, env=None):
        """Runs a command against this cluster and returns the CompletedProcess.

        `user` is a login name; `bare` as Options.bare_hosts, for this command only.
        """
        identity = {}
        if user:
            entry = pwd.getpwnam(user)
            identity = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        return subprocess.run([str(word) for word in command], text=True, input=stdin,
                              capture_output=True, timeout=timeout, check=False,
                              cwd=self.directory / "jobs",
                              env={**os.environ, **self.env(bare), **(env or {})}, **identity)

    def spawn(self, *command, **how):
        """Starts a command, e.g. salloc or srun, and returns its Popen; it ends with the cluster."""
        return subprocess.Popen([str(word) for word in command], text=True,
                                **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                                   "stderr": subprocess.STDOUT, "cwd": self.directory / "jobs",
                                   "env": {**os.environ, **self.env()}, **how})

    def command(self, *command, **how):
        """try_command that must succeed; returns what it printed."""
        done = self.try_command(*command, **how)
        if done.returncode != 0:
            raise CommandFailed([str(word) for word in command], done)
        return done.stdout

    # --- submitting ----------------------------------------------------------------------------

    def sbatch(self, options="", script="sleep 600", **how):
        """Submits `script` (shell text) and returns the job's number. CommandFailed when refused."""
        words = shlex.split(options) if isinstance(options, str) else list(options)
        printed = self.command("sbatch", "--parsable", *words, "--wrap", script, **how)
        return int(printed.split(";")[0])

    def refusal(self, options="", script="sleep 600", **how):
        """What sbatch says when it refuses the job; an AssertionError when it does not."""
        try:
            job = self.sbatch(options, script, **how)
        except CommandFailed as failed:
            return failed.stderr
        self.cancel(job)
        raise AssertionError(f"sbatch {options} was not refused")

    def occupy(self, nodes, gpus=None, options="", wait=True):
        """Fills `nodes` with one long job of `gpus` GPUs a node (default: all) and returns it."""
        nodes = [nodes] if isinstance(nodes, str) else list(nodes)
        gpus = self.shape.gpus if gpus is None else gpus
        words = f"-N{len(nodes)} --nodelist={','.join(nodes)} --job-name=occupy {options}"
        job = self.sbatch(words + (f" --gpus-per-node={gpus}" if gpus else ""))
        return self.wait_running(job) if wait else job

    def cancel(self, *jobs):
        """Cancels jobs and waits until they are gone from their nodes."""
        self.command("scancel", *jobs)
        for job in jobs:
            self.wait_ended(job)

    def cancel_all(self):
        """Cancels every job and waits until the nodes are free.

        Again and again: slurmd requeues a job whose prolog failed even when it was cancelled
        meanwhile.
        """
        self.wait_for(self._empty_queue, 30, "an empty queue")

    def _empty_queue(self):
        waiting = self.queue()
        if waiting:
            self.try_command("scancel", *waiting)
        return not waiting

    # --- asking --------------------------------------------------------------------------------

    def show_job(self, job):
        """`scontrol show job -d` as a dict; see slurm_text.parse_record."""
        return slurm_text.parse_record(self.command("scontrol", "show", "job", "-d", job))

    def job_tasks(self, job):
        """The records of all tasks of an array job, or of all parts of a het job."""
        return slurm_text.parse_records(self.command("scontrol", "show", "job", "-d", job))

    def state(self, job):
        """"PENDING", "RUNNING", ..."""
        return self.show_job(job)["JobState"]

    def reason(self, job):
        """Why it waits: "Resources", "Priority", "BadConstraints", ..."""
        return self.show_job(job)["Reason"]

    def queue(self, states="all"):
        """{job number: state} of squeue; without ended jobs."""
        printed = self.command("squeue", "-h", "-o", "%A %T", *(["-t", states] if states != "all"
                                                                else []))
        return {int(line.split()[0]): line.split()[1] for line in printed.splitlines()}

    def queue_by_name(self):
        """{"12", "13_4" or "14_[2-9]": state} of squeue: what scancel and requeue understand."""
        printed = self.command("squeue", "-h", "-o", "%i %T")
        return dict(line.split() for line in printed.splitlines())

    def nodes_of(self, job):
        """The job's nodes in Slurm's order, which is its rank order."""
        return slurm_text.expand(self.show_job(job)["NodeList"])

    def gpus_of(self, job):
        """{node: {GPU indices}} of a job."""
        per_node = self.show_job(job)["NODES"]
        return {node: slurm_text.gpu_indices(line.get("GRES", ""))
                for node, line in per_node.items()}

    def leaf_groups_of(self, job):
        """{leaf group: [the job's nodes in it]}."""
        return self._grouped(job, self.shape.leaf_of)

    def pods_of(self, job):
        """{pod: [the job's nodes in it]}."""
        return self._grouped(job, self.shape.pod_of)

    def domains_of(self, job):
        """{NVLink domain: [the job's nodes in it]}."""
        return self._grouped(job, self.shape.domain_of)

    def _grouped(self, job, unit_of):
        groups = {}
        for node in self.nodes_of(job):
            groups.setdefault(unit_of(node), []).append(node)
        return groups

    def admin_comment(self, job):
        """The receipt, or whatever else stands there; "" when nothing does."""
        return self.show_job(job).get("AdminComment", "")

    def restarts(self, job):
        """How often the job was requeued and started again."""
        return int(self.show_job(job)["Restarts"])

    def output(self, job):
        """What the batch script printed."""
        path = self.directory / "jobs" / f"slurm-{job}.out"
        return path.read_text() if path.exists() else ""

    # --- waiting -------------------------------------------------------------------------------

    def wait_state(self, job, *states, timeout=30):
        """Waits until the job is in one of `states` and returns the job."""
        self.wait_for(lambda: self.state(job) in states, timeout,
                      f"job {job} to become {' or '.join(states)}")
        return job

    def wait_running(self, job, timeout=30):
        """Waits for RUNNING; in cloud mode for CONFIGURING, which is as far as jobs get there."""
        states = ("RUNNING", "CONFIGURING") if self.options.cloud else ("RUNNING",)
        return self.wait_state(job, *states, timeout=timeout)

    def wait_ended(self, job, timeout=30):
        """Waits until the job has ended, however it did, and holds nothing any more."""
        return self.wait_state(job, "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL",
                               "PREEMPTED", "BOOT_FAIL", timeout=timeout)

    # --- nodes ---------------------------------------------------------------------------------

    def leaf(self, name):
        """The nodes of one leaf group, e.g. "leaf1"."""
        return self.shape.leaf(name)

    def node_states(self):
        """{node: state}, e.g. "idle", "mixed", "allocated", "drained", "down*"."""
        printed = self.command("sinfo", "-h", "-N", "-p", "main", "-o", "%N %T")
        return dict(line.split() for line in printed.splitlines())

    def all_nodes_up(self):
        """Whether every node has registered and none is down."""
        done = self.try_command("sinfo", "-h", "-p", "main", "-o", "%D %T")
        counts = [line.split() for line in done.stdout.splitlines()]
        up = sum(int(count) for count, state in counts if state in
                 ("idle", "mixed", "allocated", "completing", "idle~"))
        return done.returncode == 0 and up == len(self.shape.nodes)

    def show_node(self, node):
        """`scontrol show node -d` as a dict."""
        return slurm_text.parse_record(self.command("scontrol", "show", "node", "-d", node))

    def gpus_in_use(self, node):
        """The GPU indices of `node` that Slurm counts as taken."""
        return slurm_text.gpu_indices(self.show_node(node).get("GresUsed", ""))

    def drain(self, node, reason="test"):
        self.update(f"NodeName={node} State=DRAIN", f"Reason={reason}")

    def resume(self, node):
        self.update(f"NodeName={node} State=RESUME")

    def drained(self):
        """{node: reason} of all nodes that are draining, drained or down."""
        printed = self.command("sinfo", "-h", "-R", "-N", "-o", "%N|%E")
        return dict(line.split("|", 1) for line in printed.splitlines())

    def update(self, words, *more, **how):
        """scontrol update; `words` is split at blanks, `more` is not."""
        self.command("scontrol", "update", *words.split(), *more, **how)
