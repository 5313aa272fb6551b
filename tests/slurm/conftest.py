"""Fixtures for tests on real Slurm daemons."""

import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
import ymcluster  # noqa: E402

AVAILABLE, MISSING = ymcluster.available()


def pytest_collection_modifyitems(items):
    """Without the daemons every test is skipped, and says so."""
    if not AVAILABLE:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=MISSING))


def pytest_terminal_summary(terminalreporter):
    if not AVAILABLE:  # tests/CMakeLists.txt looks for these words to show the file as skipped
        terminalreporter.write_line(f"ALL SKIPPED: {MISSING}")


@pytest.fixture(scope="module")
def new_cluster():
    """new_cluster(shape=None, **options) -> a started Cluster, ended after the file's last test.

    Its folder goes too, unless $YM_KEEP is set.
    """
    clusters = []

    def build(shape=None, **options):
        # Not pytest's tmp_path: that is closed to the users whose jobs the tests submit, and too
        # long for munge's socket.
        directory = pathlib.Path(tempfile.mkdtemp(prefix="ym-", dir="/tmp"))
        cluster = ymcluster.Cluster(directory, shape, **options)
        clusters.append(cluster)
        return cluster.start()

    yield build
    for cluster in clusters:
        cluster.stop()
        assert not cluster.leftovers()
        if "YM_KEEP" in os.environ:
            print(f"kept: {cluster.directory}")
        else:
            shutil.rmtree(cluster.directory, ignore_errors=True)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test's report shows the state of the clusters that it used."""
    outcome = yield
    report = outcome.get_result()
    if report.when == "call" and report.failed:
        for value in getattr(item, "funcargs", {}).values():
            if isinstance(value, ymcluster.Cluster):
                report.sections.append((f"cluster {value.directory}", value.diagnosis()))
