"""Clean systems for package tests: copy-on-write over a debootstrapped base that is made once.

    root = Root(base, folder)              what base has, and nothing of what earlier tests did
    root.run("apt-get", "-y", "install", "/packages/x.deb")
    changes(before, root.snapshot())       paths that differ, e.g. {"/usr/bin/yardmaster"}
    Root(root, another)                    on top of that
"""

import os
import pathlib
import stat
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
IN_ROOT = HERE.parent / "roots" / "in_root.sh"
MAKE_ROOT = """
set -euo pipefail
say() { printf '%s\\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
. "$1/roots.sh"
make_root "$2" "$3"
"""
# What the namespace does before in_root.sh: the mount ends with the command, as all its mounts.
OVERLAY = """
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/system"
script=$3 system=$2/system
shift 3
exec "$script" "$system" "$@"
"""
# What in_root.sh and apt touch by being used; neither is a package's doing.
NOISE = ("/etc/resolv.conf/", "/etc/hosts/", "/var/lib/apt/", "/var/cache/", "/var/log/",
         "/var/lib/dpkg/", "/run/", "/tmp/", "/packages/", "/repo/", "/var/backups/")


class Base:
    """The folder of a whole system, read only."""

    def __init__(self, folder):
        self.layers = [pathlib.Path(folder)]


class Root:
    """A system that starts as `below` is now and keeps its changes in `folder`. Needs root."""

    def __init__(self, below, folder, binds=()):
        self.folder = pathlib.Path(folder)
        self.layers = [self.folder / "upper", *below.layers]
        self.binds = tuple(binds)
        self.found = {}  # for a snapshot that tests compare with
        for name in ("upper", "work", "system"):
            (self.folder / name).mkdir(parents=True)

    def try_run(self, *command, timeout=300, env=None):
        """Runs a command in the system, as root and without services; the CompletedProcess, with
        standard error in stdout. Processes that it leaves are killed."""
        binds = [str(word) for bind in self.binds for word in bind]
        words = [str(word) for word in command]
        return subprocess.run(
            ["unshare", "--mount", "sh", "-ec", OVERLAY, "overlay",
             ":".join(map(str, self.layers[1:])), self.folder, IN_ROOT, *binds, "--", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=timeout, check=False,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", **(env or {})})

    def run(self, *command, **how):
        """try_run that must succeed; returns what it printed."""
        done = self.try_run(*command, **how)
        assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}"
        return done.stdout

    def apt(self, *words, **how):
        return self.try_run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y",
                            "--no-install-recommends", "-o", "APT::Sandbox::User=root",
                            "-o", "Dpkg::Use-Pty=0", "-o", "APT::Keep-Downloaded-Packages=true",
                            "-o", "APT::Get::List-Cleanup=false",  # the lists are shared
                            *words, **how)

    def install(self, *words, **how):
        """apt-get install that must succeed."""
        done = self.apt("install", *words, **how)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def write(self, path, text):
        """Writes a file of the system, from outside; not while a command runs in it."""
        file = self.layers[0] / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def read(self, path):
        """The bytes of a file of the system; None where there is none."""
        for layer in self.layers:
            file = layer / path.lstrip("/")
            if file.exists() or file.is_symlink():
                return None if is_whiteout(file) else file.read_bytes()
        return None

    def snapshot(self):
        """{path: what is there} of the whole system, less noise: kind, mode, owner, and content."""
        seen = {}
        for line in self.run("find", "/", "-xdev", "-printf", "%p\\t%y %m %u:%g %l\\n").splitlines():
            path, _, what = line.partition("\t")
            if not f"{path}/".startswith(NOISE):
                seen[path] = what
        sums = self.run("find", "/", "-xdev", "-type", "f", "-exec", "md5sum", "{}", "+")
        for line in sums.splitlines():
            digest, path = line.split(None, 1)
            if path in seen:
                seen[path] += f" {digest}"
        return seen


def changes(before, after):
    """(written, removed): the paths, folders too, that two snapshots tell apart."""
    written = {path for path, what in after.items() if before.get(path) != what}
    return written, set(before) - set(after)


def is_whiteout(path):
    """Whether overlayfs keeps this device for "removed"."""
    info = path.lstat()
    return stat.S_ISCHR(info.st_mode) and info.st_rdev == 0


def native_series():
    """The Slurm series of this machine's Debian release; "" when it is none that we know."""
    return subprocess.run(["bash", "-c", '. "$1/roots.sh"; series_of /', "bash", IN_ROOT.parent],
                          stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def clean_base(series, folder):
    """A minimal system of the Debian release with that Slurm, made when missing (a minute)."""
    subprocess.run(["bash", "-c", MAKE_ROOT, "bash", IN_ROOT.parent, series, folder], check=True)
    return Base(folder)
