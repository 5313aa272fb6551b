"""Blocks of free TCP ports, also when several clusters are set up at the same moment."""

import fcntl
import os
import pathlib
import socket
import time

# Below the kernel's ephemeral range (32768 up), so that no client socket takes one meanwhile.
FIRST, LAST = 16000, 32000
_CLAIMS = pathlib.Path("/tmp/ymcluster-ports")
_CLAIM_SECONDS = 60  # time enough for the daemons to bind what was claimed


def _free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Slurm does
        try:
            probe.bind(("0.0.0.0", port))
            return True
        except OSError:
            return False


def _holds(claim):
    """Whether a claim still stands: its process lives (a daemon of it that is being restarted has left its port
    for a moment), or has only just made it."""
    owner = claim.read_text(encoding="ascii")
    young = time.time() - claim.stat().st_mtime <= _CLAIM_SECONDS
    return young or (owner.isdigit() and pathlib.Path("/proc", owner).exists())


def _claimed():
    """Ports of blocks that others chose."""
    taken = set()
    for claim in _CLAIMS.glob("*-*"):
        if not _holds(claim):
            claim.unlink(missing_ok=True)
            continue
        first, count = claim.name.split("-")
        taken.update(range(int(first), int(first) + int(count)))
    return taken


def free_block(count):
    """The first of `count` neighbouring free ports."""
    _CLAIMS.mkdir(exist_ok=True)
    with open(_CLAIMS / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        taken = _claimed()
        port = FIRST
        while port + count <= LAST:
            bad = next((p for p in range(port, port + count) if p in taken or not _free(p)), None)
            if bad is None:
                (_CLAIMS / f"{port}-{count}").write_text(str(os.getpid()), encoding="ascii")
                return port
            port = bad + 1
    raise RuntimeError(f"no {count} neighbouring free ports from {FIRST} to {LAST}")
