"""Starting, finding and ending the processes of one cluster, also from another process."""

import os
import pathlib
import signal
import subprocess
import time

# Every daemon, and what it starts, carries this in its environment: so they are found again when
# pid files are lost, and nobody else's daemons are touched.
MARKER = "YMCLUSTER_DIR"


def alive(pid):
    """Whether `pid` runs; a zombie does not."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] not in "ZX"


def _start_time(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]


class Daemon:
    """A foreground daemon with a pid file that any process can use to end it."""

    def __init__(self, directory, name):
        self.name = name
        self.log = directory / "log" / f"{name}.out"
        self._pid_file = directory / "run" / f"{name}.started"
        self._directory = directory
        self._child = None

    def start(self, command, env=None):
        with open(self.log, "ab") as log:
            self._child = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env={**os.environ, **(env or {}), MARKER: str(self._directory)})
        pid = self._child.pid
        self._pid_file.write_text(f"{pid} {_start_time(pid)}\n")

    def pid(self):
        """The live process; None when there is none. Never a stranger that got the same number."""
        if self._child is not None:
            self._child.poll()  # reaps it if it has ended
        try:
            pid, started = self._pid_file.read_text().split()
            return int(pid) if alive(pid) and _start_time(pid) == started else None
        except (OSError, ValueError):
            return None

    def send(self, number):
        """Sends a signal, to a live daemon only."""
        pid = self.pid()
        if pid is not None:
            os.kill(pid, number)

    def stop(self, number=signal.SIGTERM, timeout=15):
        """Sends `number` and waits; after `timeout` seconds kills."""
        self.send(number)
        deadline = time.monotonic() + timeout
        while self.pid() is not None:
            if time.monotonic() > deadline:
                self.send(signal.SIGKILL)
                deadline += timeout
            time.sleep(0.01)
        self._pid_file.unlink(missing_ok=True)


def _belongs(pid, directory):
    environ = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    if f"{MARKER}={directory}".encode() in environ:
        return True
    # slurmstepd writes its title over its environment, and outlives slurmd: known by its log file.
    if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() != "slurmstepd":
        return False
    files = (os.readlink(link) for link in pathlib.Path(f"/proc/{pid}/fd").iterdir())
    return any(name.startswith(f"{directory}/log/") for name in files)


def marked(directory):
    """Processes of the cluster in `directory` and everything below them, as pids."""
    parents, found = {}, set()
    for pid in (int(entry) for entry in os.listdir("/proc") if entry.isdigit()):
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            if stat[0] not in "ZX":
                parents[pid] = int(stat[1])
                found |= {pid} if _belongs(pid, directory) else set()
        except OSError:
            continue  # it has just ended
    grown = True
    while grown:
        below = {pid for pid, parent in parents.items() if parent in found} - found
        found |= below
        grown = bool(below)
    found.discard(os.getpid())
    return found


def kill_marked(directory, spare=(), timeout=10):
    """Kills every process of the cluster except the pids in `spare`."""
    deadline = time.monotonic() + timeout
    while True:
        left = marked(directory) - set(spare)
        if not left:
            return
        if time.monotonic() > deadline:
            raise RuntimeError(f"{directory}: processes survive SIGKILL: {sorted(left)}")
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def listening(port):
    """Whether something listens on `port`. Looks instead of connecting: Slurm logs an error for a
    connection that says nothing."""
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, _, state = line.split()[:4]
        if state == "0A" and int(local.rpartition(":")[2], 16) == port:
            return True
    return False
