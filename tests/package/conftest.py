"""Fixtures for the tests of the packages that packaging/build.sh has built."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cluster")]
import conf  # noqa: E402
import debs  # noqa: E402
import roots  # noqa: E402

SERIES = os.environ.get("YM_PACKAGE_SERIES") or roots.native_series()
NEEDED = ("debootstrap", "dpkg-deb", "lintian", "rpm", "rpmbuild", "unshare")


def why_not():
    """Why the tests cannot run here; "" when they can."""
    if os.geteuid() != 0:
        return "package tests need root, for mounts and chroot"
    absent = [name for name in NEEDED if shutil.which(name) is None]
    if absent:
        return f"{', '.join(absent)} not installed (./dev setup installs them)"
    if not SERIES:
        return "this is no Debian release whose Slurm we know"
    if subprocess.run(["unshare", "--mount", "true"], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        return "no right to mount here (CAP_SYS_ADMIN)"
    return ""


MISSING = why_not()


def pytest_collection_modifyitems(items):
    if MISSING:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=MISSING))


def pytest_terminal_summary(terminalreporter):
    if MISSING:  # tests/CMakeLists.txt looks for these words to show the file as skipped
        terminalreporter.write_line(f"ALL SKIPPED: {MISSING}")


@pytest.fixture(scope="session")
def packages():
    """The built set of packages for this series."""
    return debs.Packages(conf.build_dir() / "packages", SERIES)


@pytest.fixture(scope="module")
def new_root(packages):
    """new_root(below=None) -> a Root over a clean Debian, or over another Root. The packages are in
    /packages there, and what apt has fetched once it does not fetch again."""
    home = conf.build_dir() / "roots" / f"clean-{SERIES}"
    base = roots.clean_base(SERIES, home / "root")
    binds = [("--bind-ro", packages.folder, "/packages")]
    for name, place in (("archives", "/var/cache/apt/archives"), ("lists", "/var/lib/apt/lists")):
        (home / name / "partial").mkdir(parents=True, exist_ok=True)
        binds.append(("--bind", home / name, place))
    # In the build folder: /tmp may be an overlay itself, which cannot carry another.
    made = pathlib.Path(tempfile.mkdtemp(prefix="test-", dir=home))

    def build(below=None, more_binds=()):
        folder = pathlib.Path(tempfile.mkdtemp(dir=made))
        return roots.Root(below or base, folder, [*binds, *more_binds])

    yield build
    subprocess.run(["rm", "-rf", "--one-file-system", made], check=True)
