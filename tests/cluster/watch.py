"""Waiting for a cluster, and telling what is wrong with it."""

import os
import subprocess
import time


class Watch:
    """The part of Cluster that looks on."""

    def log(self, name="slurmctld"):
        """The text of log/<name>.log; also "slurmd-<node>", "munged"."""
        path = self.directory / "log" / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def grep_log(self, text, name="slurmctld"):
        """The log's lines that contain `text`."""
        return [line for line in self.log(name).splitlines() if text in line]

    def diagnosis(self):
        """What a person wants to see when a test failed."""
        parts = []
        if self.ctld_pid() is not None:
            for command in (["squeue", "-o", "%i %T %r %N %k"], ["sinfo", "-N", "-o", "%N %T"],
                            ["sinfo", "-R"]):
                parts.append(f"--- {' '.join(command)}\n{self._try(command)}")
        else:
            parts.append("--- slurmctld is not running\n" + self._tail("slurmctld.out", 10))
        parts.append("--- slurmctld.log\n" + self._tail("slurmctld.log", 40))
        for path in sorted((self.directory / "log").glob("slurmd-*.log")):
            bad = [line for line in path.read_text(errors="replace").splitlines()
                   if ("error" in line or "fatal" in line) and "pmix" not in line]
            if bad:
                parts.append(f"--- {path.name}\n" + "\n".join(bad[-3:]))
        return "\n".join(parts)

    def _try(self, command):
        try:
            done = subprocess.run(command, env={**os.environ, **self.env()}, timeout=10, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            return "\n".join(done.stdout.splitlines()[:40])
        except subprocess.TimeoutExpired:
            return "no answer in 10 s"

    def _tail(self, name, lines):
        path = self.directory / "log" / name
        text = path.read_text(errors="replace") if path.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def wait_for(self, predicate, timeout=30, what=""):
        """Polls until `predicate` is true and returns its value; fails with a diagnosis."""
        deadline = time.monotonic() + timeout
        while True:
            value = predicate()
            if value:
                return value
            if time.monotonic() > deadline:
                what = what or getattr(predicate, "__name__", "a condition")
                raise TimeoutError(f"waited {timeout} s for {what}\n{self.diagnosis()}")
            time.sleep(0.1)
