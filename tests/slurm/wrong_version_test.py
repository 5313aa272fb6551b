"""Plugins that were built for another micro version of Slurm: what docs/install.md promises."""

import pathlib
import re
import struct
import subprocess

import pytest

def label_of(major, minor, micro):
    """SLURM_VERSION_NUM as it lies in a plugin's file (slurm_version.h)."""
    return struct.pack("<I", major << 16 | minor << 8 | micro)


def installed():
    printed = subprocess.run(["/usr/sbin/slurmd", "-V"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return [int(part) for part in re.match(r"\S+ (\d+)\.(\d+)\.(\d+)", printed).groups()]


SELECT, SUBMIT = "select_cons_tres.so", "job_submit_yardmaster.so"


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster(plugin=True)


@pytest.fixture
def of_next_micro(cluster, tmp_path):
    """of_next_micro(NAME...) -> a folder with these plugins, labelled for the next micro version."""
    major, minor, micro = installed()
    here, next_micro = label_of(major, minor, micro), label_of(major, minor, micro + 1)

    def label(*names):
        for name in names:
            data = pathlib.Path(cluster.conf.plugins, name).read_bytes()
            assert data.count(here) == 1, "plugin_version, and nothing that looks like it"
            (tmp_path / name).write_bytes(data.replace(here, next_micro))
        return str(tmp_path)
    yield label
    cluster.options.plugin_dir = ""
    cluster.use_plugin(True)
    cluster.cancel_all()


def refused(cluster, name):
    return [line for line in cluster.grep_log("Incompatible Slurm plugin") if name in line]


def test_select_plugin_that_does_not_fit_leaves_the_jobs_to_stock(cluster, of_next_micro):
    old = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8"))
    cluster.wait_saved()
    cluster.options.plugin_dir = of_next_micro(SELECT)
    cluster.use_plugin(True)
    assert refused(cluster, SELECT)
    assert cluster.state(old) == "RUNNING"
    job = cluster.wait_running(cluster.sbatch("-N2 --gpus-per-node=8"))
    assert "yardmaster" not in cluster.admin_comment(job)
    # Of the commands, 22.05's squeue loads a select plugin; in 24.11 only those that ask for nodes.
    said = [cluster.try_command(command).stderr for command in ("squeue", "sinfo")]
    assert "Incompatible Slurm plugin" in "".join(said)


def test_job_submit_plugin_that_does_not_fit_ends_slurmctld_and_loses_no_job(cluster, of_next_micro):
    running = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8"))
    cluster.occupy([n for n in cluster.shape.nodes if n not in cluster.nodes_of(running)])
    waiting = cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8")
    cluster.wait_saved()
    cluster.options.plugin_dir = of_next_micro(SELECT, SUBMIT)
    with pytest.raises(RuntimeError, match="ended at start"):
        cluster.use_plugin(True)
    assert refused(cluster, SUBMIT)
    assert cluster.grep_log("fatal: failed to initialize job_submit plugin")
    cluster.use_plugin(False)  # rolled back by the lines in slurm.conf
    assert [cluster.state(job) for job in (running, waiting)] == ["RUNNING", "PENDING"]
    cluster.options.plugin_dir = ""
    cluster.use_plugin(True)
    cluster.cancel(running)
    cluster.wait_running(waiting)
    assert "hints=tp8" in cluster.admin_comment(waiting)
