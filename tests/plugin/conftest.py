"""Skips the tests on the built plugins where Slurm is not installed, and says so."""

import glob
import os

import pytest

NEEDED = ["/usr/sbin/slurmctld", "/usr/lib*/*/slurm*/libslurmfull.so"]
MISSING = [pattern for pattern in NEEDED if not glob.glob(pattern)]


def pytest_collection_modifyitems(items):
    if MISSING:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=f"{MISSING[0]} is not installed"))


def pytest_terminal_summary(terminalreporter):
    if MISSING:  # tests/CMakeLists.txt looks for these words to show the file as skipped
        terminalreporter.write_line(f"ALL SKIPPED: {MISSING[0]} is not installed")


@pytest.fixture(scope="session")
def plugin_folder():
    return os.path.join(os.environ["YM_BUILD_DIR"], "lib", "yardmaster")
