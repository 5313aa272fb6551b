"""The built .deb and .rpm, what they say of themselves, and variants of them."""

import pathlib
import re
import subprocess

PARTS = ("controller", "node", "tools")


def output(*command):
    """What a command prints; it must succeed."""
    return subprocess.run([str(word) for word in command], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


class Packages:
    """One set: the three parts for one Slurm, as .deb and as .rpm."""

    def __init__(self, folder, series):
        self.folder = pathlib.Path(folder)
        names = [path.name for path in self.folder.glob(f"yardmaster-tools-slurm{series}.*.deb")]
        assert len(names) == 1, (f"{len(names)} sets of packages for Slurm {series} in {folder}, must "
                                 "be 1: build them with ./dev package")
        found = re.fullmatch(r"yardmaster-tools-slurm([\d.]+)_([\d.]+)-\d+_\w+\.deb", names[0])
        self.slurm, self.version = found.groups()
        head, _, micro = self.slurm.rpartition(".")
        self.next_slurm = f"{head}.{int(micro) + 1}"

    def name(self, part):
        return f"yardmaster-{part}-slurm{self.slurm}"

    def deb(self, part):
        return self._only(f"{self.name(part)}_*.deb")

    def rpm(self, part):
        return self._only(f"{self.name(part)}-[0-9]*.rpm")

    def _only(self, pattern):
        paths = list(self.folder.glob(pattern))
        assert len(paths) == 1, f"{len(paths)} packages {pattern} in {self.folder}, must be 1"
        return paths[0]


def field(deb, name):
    """A field of a .deb, "" when it has none."""
    return output("dpkg-deb", "-f", deb, name).strip()


def entries(deb):
    """[(mode, owner, path)] of what a .deb holds; modes and owners as tar writes them."""
    lines = [line.split(None, 5) for line in output("dpkg-deb", "-c", deb).splitlines()]
    return [(line[0], line[1], line[5].removeprefix(".")) for line in lines]


def files(deb):
    """The paths of its files, without folders."""
    return {path for mode, _, path in entries(deb) if not mode.startswith("d")}


def repack(deb, folder, changes, extra=()):
    """A copy of a .deb in `folder` with other fields, {field: text}, and extra files [path]; its path
    is named after the new fields."""
    tree = pathlib.Path(folder, "repacked")
    subprocess.run(["dpkg-deb", "-R", deb, tree], check=True)
    control = tree / "DEBIAN" / "control"
    text = control.read_text(encoding="utf-8")
    for name, value in changes.items():
        text, count = re.subn(rf"(?m)^{name}: .*$", f"{name}: {value}", text)
        assert count == 1, f"{deb} has {count} fields {name}"
    control.write_text(text, encoding="utf-8")
    for path in extra:
        (tree / path.lstrip("/")).write_text("of an earlier version\n", encoding="utf-8")
    return _build(tree, folder)


def dummy(folder, name, version, extra=""):
    """An empty package of that name and version, in place of a real one."""
    tree = pathlib.Path(folder, "dummy")
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: all\n"
        f"Maintainer: test <test@test.invalid>\nDescription: stands for {name} {version}\n{extra}", encoding="utf-8")
    return _build(tree, folder)


def _build(tree, folder):
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, folder], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["rm", "-rf", tree], check=True)
    return max(pathlib.Path(folder).glob("*.deb"), key=lambda path: path.stat().st_mtime_ns)
