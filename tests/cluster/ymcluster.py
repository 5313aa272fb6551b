"""A real Slurm cluster on one machine, for tests: slurmctld, munged and one slurmd a node.

    with Cluster(directory, plugin=True) as c:
        job = c.sbatch("-N4 --gpus-per-node=8 --constraint=tp8")
        c.wait_running(job)
        assert len(c.leaf_groups_of(job)) == 1

Nodes, GPUs (device files) and switches are made up by a Shape; everything lives in `directory`, so
that clusters stand side by side. Needs root. When the process that started a cluster dies, however
it dies, a guard ends the daemons.
"""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import time

import conf
import daemons
import ports
import shape as shapes
from jobs import Jobs
from watch import Watch


class Cluster(Jobs, Watch):
    """One cluster in one directory. Keyword arguments are the fields of conf.Options."""

    def __init__(self, directory, shape=None, **options):
        self.directory = pathlib.Path(directory).resolve()
        self.shape = shape or shapes.servers()
        self.options = conf.Options(**options)
        self.conf = None
        self._ctld = daemons.Daemon(self.directory, "slurmctld")
        self._munged = daemons.Daemon(self.directory, "munged")
        self._slurmds = {name: daemons.Daemon(self.directory, f"slurmd-{name}")
                         for name in ([] if self.options.cloud else self.shape.nodes)
                         if name not in self.options.cloud_nodes}
        self._guard = None
        self._damaged = set()  # nodes whose simulated hardware was changed

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, kind, value, trace):
        if kind is not None:
            print(self.diagnosis(), file=sys.stderr)
        self.stop()

    # --- the whole cluster ---------------------------------------------------------------------

    def start(self, guard=True, timeout=60):
        """Makes everything and waits until every node is up."""
        self._lay_out()
        if guard:
            self._start_guard()
        self._start_munged()
        self.start_ctld()
        for name in self._slurmds:
            self.start_slurmd(name)
        self.wait_for(self._registered, timeout, "every node to register")
        return self

    def _registered(self):
        for daemon in self._slurmds.values():
            if daemon.pid() is None:
                raise RuntimeError(f"{daemon.name} ended at start\n{daemon.log.read_text()}")
        return self.all_nodes_up()

    def stop(self):
        """Ends every process of the cluster, jobs included. The files stay."""
        guard = [self._guard.pid] if self._guard else []
        daemons.kill_marked(self.directory, spare=guard)
        for daemon in (self._ctld, self._munged, *self._slurmds.values()):
            daemon.stop(signal.SIGKILL)
        if self._guard:
            self._guard.stdin.close()
            self._guard.wait(timeout=20)
            self._guard = None

    def leftovers(self):
        """Processes of the cluster that still run: none after stop()."""
        return daemons.marked(self.directory)

    def _lay_out(self):
        if os.geteuid() != 0:
            raise RuntimeError("a test cluster needs root: device files, slurmd, other users' jobs")
        if len(f"{self.directory}/run/munge.socket") > 107:  # sockaddr_un
            raise RuntimeError(f"{self.directory}: too long a path for munge's socket")
        if self.leftovers():
            raise RuntimeError(f"a cluster runs in {self.directory} already: stop it first")
        for name in ("evidence", "jobs", "log", "run", "sim", "spool", "state"):
            shutil.rmtree(self.directory / name, ignore_errors=True)  # jobs of an earlier cluster
        for name in ("", "dev", "evidence", "jobs", "log", "run", "sim", "spool", "state"):
            (self.directory / name).mkdir(parents=True, exist_ok=True)
            (self.directory / name).chmod(0o755)
        (self.directory / "jobs").chmod(0o1777)  # users' job output
        for gpu in range(self.shape.gpus):
            # Character devices: with plain files Slurm gives jobs no SLURM_JOB_GPUS.
            device = self.directory / "dev" / f"nvidia{gpu}"
            if not device.exists():
                os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        port = ports.free_block(1 + (len(self.shape.nodes) if self._slurmds else 0))
        self.conf = conf.Conf(self.directory, self.shape, self.options, port)
        self.write_conf()
        (self.directory / "cluster.json").write_text(json.dumps({"nodes": self.shape.nodes}))
        if self.options.sim:
            self._simulate_nodes()

    def write_conf(self):
        """Writes the configuration from self.options anew; reconfigure() or restart to use it."""
        self.conf.write()

    def _simulate_nodes(self):
        rails = ",".join(f"mlx5_{gpu}" for gpu in range(self.shape.gpus))
        wire = self.directory / "sim" / "wire"
        wire.mkdir(exist_ok=True)
        for name in self.shape.nodes:
            self.sim(name, "create", "--node", name, "--gpus", self.shape.gpus, "--rails", rails,
                     "--rate", self.shape.rail_gbps, "--wire", wire)
        self._damaged.clear()

    def sim(self, node, command, *arguments):
        """Runs ym-sim-node on a node's simulated hardware: sim("yard03", "set-rate", "mlx5_3",
        100), sim("yard03", "heal")."""
        program = conf.find_built("ym-sim-node")
        if program is None:
            raise RuntimeError(f"no ym-sim-node under {conf.build_dir()}: build it first")
        words = [program, command, self.directory / "sim" / node, *arguments]
        subprocess.run([str(word) for word in words], check=True)
        self._damaged.add(node)

    def heal_all(self):
        """Brings every node that sim() changed back to the state after its creation."""
        for node in list(self._damaged):
            self.sim(node, "heal")
        self._damaged.clear()

    def _start_guard(self):
        command = [sys.executable, str(pathlib.Path(__file__).with_name("ymcluster")), "guard",
                   str(self.directory)]
        self._guard = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)

    # --- daemons -------------------------------------------------------------------------------

    def _start_munged(self):
        run, key = self.directory / "run", self.directory / "run" / "munge.key"
        if not key.exists():
            key.touch(0o600)
            key.write_bytes(os.urandom(128))
        # --force: /tmp above us is writable for all, which munged dislikes.
        self._munged.start(["/usr/sbin/munged", "--foreground", "--force",
                            f"--socket={run}/munge.socket", f"--key-file={key}",
                            f"--pid-file={run}/munged.pid", f"--seed-file={run}/munged.seed",
                            f"--log-file={self.directory}/log/munged.log"])
        self.wait_for(lambda: (run / "munge.socket").exists(), 10, "munged's socket")

    def start_ctld(self):
        """Starts slurmctld and waits until it answers."""
        self._ctld.start(["/usr/sbin/slurmctld", "-D", "-f", self.conf.etc / "slurm.conf"],
                         {"SLURM_CONF": str(self.conf.etc / "slurm.conf"), **self.options.ctld_env})
        self.wait_for(self._ctld_answers, 60, "slurmctld to answer")

    def _ctld_answers(self):
        if self._ctld.pid() is None:
            raise RuntimeError(f"slurmctld ended at start\n{self.diagnosis()}")
        return daemons.listening(self.conf.ctld_port)

    def ctld_pid(self):
        """slurmctld's process; None while it is down."""
        return self._ctld.pid()

    def kill_ctld(self, number=signal.SIGKILL):
        """Ends slurmctld with a signal; SIGTERM lets it save its state first."""
        self._ctld.stop(number)

    def restart_ctld(self, number=signal.SIGTERM):
        self.kill_ctld(number)
        self.start_ctld()

    def wait_saved(self):
        """Waits until what slurmctld knows now is on disk, for a kill that shall lose nothing.

        It saves within 5 s of a submission or a job's end, but a job's start alone triggers no
        save before the one of every 5 minutes: a held job makes it save.
        """
        since, state = time.time(), self.directory / "state" / "job_state"
        job = self.sbatch("--hold", script="true")
        self.wait_for(lambda: state.exists() and state.stat().st_mtime > since, 20,
                      "slurmctld to save its state")
        self.command("scancel", job)

    def reconfigure(self):
        """scontrol reconfigure: slurmctld and the slurmds read their files again."""
        self.command("scontrol", "reconfigure")

    def use_plugin(self, ours):
        """Goes to our plugins (True) or back to stock Slurm (False), restarting slurmctld."""
        self.options.plugin = ours
        self.kill_ctld(signal.SIGTERM)
        self.write_conf()
        self.start_ctld()

    def _slurmd_conf(self):
        return self.directory / ("etc-bare" if self.options.bare_hosts else "etc") / "slurm.conf"

    def start_slurmd(self, node):
        (self.directory / "spool" / node).mkdir(exist_ok=True)
        self._slurmds[node].start(["/usr/sbin/slurmd", "-D", "-N", node, "-f", self._slurmd_conf()])

    def stop_slurmd(self, node, number=signal.SIGKILL):
        """Ends one node's slurmd; its jobs go on."""
        self._slurmds[node].stop(number)

    def env(self, bare=None):
        """What commands need in their environment."""
        bare = self.options.bare_hosts if bare is None else bare
        folder = self.directory / ("etc-bare" if bare else "etc")
        return {"SLURM_CONF": str(folder / "slurm.conf"), daemons.MARKER: str(self.directory)}


def available():
    """Whether the machine has the daemons; else the name of what is missing."""
    for program in ("/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged"):
        if not os.path.exists(program):
            return False, f"{program} is not installed (./dev setup installs it)"
    return (True, "") if os.geteuid() == 0 else (False, "test clusters need root")


def stop_directory(directory):
    """Ends the cluster in `directory`, whoever started it."""
    daemons.kill_marked(pathlib.Path(directory).resolve())
