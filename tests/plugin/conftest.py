"""Skips what needs an installed Slurm of the plugins' own version where there is none, and says so."""

import glob
import os
import re

import pytest

import nm

SLURMCTLD = "/usr/sbin/slurmctld"
LIBRARY = "/usr/lib*/*/slurm*/libslurmfull.so"
BUILD = os.environ["YM_BUILD_DIR"]


def tree():
    """The Slurm source tree that the plugins were built from."""
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as cache:
        given = re.search(r"^YM_SLURM_SOURCE:\w+=(.*)$", cache.read(), re.MULTILINE)
    return (given and given.group(1)) or os.path.join(BUILD, "slurm-source")


def built_for():
    with open(os.path.join(tree(), "config.h"), encoding="utf-8") as config:
        return re.search(r'^#define SLURM_VERSION_STRING "(.*)"', config.read(),
                         re.MULTILINE).group(1)


def why_not():
    """Why tests against an installed Slurm cannot run; empty: they can."""
    for pattern in (SLURMCTLD, LIBRARY):
        if not glob.glob(pattern):
            return f"{pattern} is not installed"
    installed = nm.output_of(SLURMCTLD, "-V").split()[-1]
    if installed != built_for():
        return f"the plugins are built for Slurm {built_for()}, {installed} is installed"
    return ""


WHY_NOT = why_not()


def pytest_configure(config):
    config.addinivalue_line("markers", "installed: needs the Slurm that the plugins are built for")


def pytest_collection_modifyitems(items):
    for item in items:
        if WHY_NOT and item.get_closest_marker("installed"):
            item.add_marker(pytest.mark.skip(reason=WHY_NOT))


def pytest_terminal_summary(terminalreporter):
    # tests/CMakeLists.txt looks for these words to show the file as skipped.
    if WHY_NOT and not any(terminalreporter.stats.get(key) for key in ("passed", "failed", "error")):
        terminalreporter.write_line(f"ALL SKIPPED: {WHY_NOT}")


@pytest.fixture(scope="session")
def plugin_folder():
    return os.path.join(BUILD, "lib", "yardmaster")


@pytest.fixture(scope="session")
def slurm_tree():
    return tree()
