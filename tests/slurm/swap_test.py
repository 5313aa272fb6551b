"""Going to our plugins and back, hosts without them, and fabric files that cannot be used."""

import copy
import json
import re

import conf
import pytest


@pytest.fixture(scope="module")
def cluster(new_cluster):
    """Commands and slurmds see an empty folder of ours, as on hosts where it is not installed."""
    return new_cluster(plugin=True, bare_hosts=True)


@pytest.fixture(autouse=True)
def as_new(cluster):
    yield
    cluster.cancel_all()
    if not cluster.options.plugin or cluster.options.fabric is not None:
        cluster.options.fabric = None
        cluster.use_plugin(True)


HARD = "-N4 --gpus-per-node=8 --constraint=tp8"
SOFT = "-N4 --gpus-per-node=8"


def test_hosts_without_our_files_work(cluster):
    job = cluster.wait_running(cluster.sbatch(SOFT))
    assert str(job) in cluster.command("squeue")
    assert "yard01" in cluster.command("sinfo", "-N")
    shown = cluster.command("srun", "-N1", "--gpus-per-node=1", "hostname")
    assert shown.strip()


def test_reservation_of_cores_works(cluster):
    cluster.command("scontrol", "create", "reservation", "ReservationName=cores", "StartTime=now",
                    "Duration=10", "Users=root", "Nodes=yard01", "CoreCnt=4")
    try:
        job = cluster.sbatch("-N1 -n1 --reservation=cores")
        assert cluster.nodes_of(cluster.wait_running(job)) == ["yard01"]
        cluster.cancel(job)
    finally:
        cluster.command("scontrol", "delete", "ReservationName=cores")


def test_no_job_is_lost_between_stock_and_ours(cluster):
    cluster.use_plugin(False)
    old = cluster.wait_running(cluster.sbatch(SOFT))
    cluster.use_plugin(True)
    assert cluster.state(old) == "RUNNING"
    ours = cluster.wait_running(cluster.sbatch(HARD))
    cluster.occupy([n for n in cluster.shape.nodes
                    if n not in cluster.nodes_of(old) + cluster.nodes_of(ours)])
    waiting = cluster.sbatch(HARD)
    gpus = cluster.gpus_of(ours)
    cluster.use_plugin(False)
    assert [cluster.state(job) for job in (old, ours, waiting)] == ["RUNNING", "RUNNING", "PENDING"]
    assert cluster.gpus_of(ours) == gpus
    cluster.use_plugin(True)
    cluster.cancel(old)
    cluster.cancel(ours)
    cluster.wait_running(waiting)
    assert "tp8" in cluster.admin_comment(waiting)


def damaged(cluster, how):
    document = copy.deepcopy(cluster.shape.fabric())
    if how == "absent":
        return ""
    if how == "truncated":
        return json.dumps(document)[:200]
    if how == "another version":
        return {**document, "version": 99}
    raise AssertionError(how)


@pytest.mark.parametrize("how", ["absent", "truncated", "another version"])
def test_unusable_fabric_file_at_start(cluster, how):
    cluster.options.fabric = damaged(cluster, how)
    lines_before = len(cluster.grep_log("no usable fabric file"))
    cluster.use_plugin(True)
    soft = cluster.wait_running(cluster.sbatch(SOFT))
    hard = cluster.sbatch(HARD)
    assert "no usable fabric file" in cluster.admin_comment(soft)
    cluster.wait_for(lambda: cluster.grep_log(f"job {hard} with hard hints waits"), 20, "the log")
    assert cluster.state(hard) == "PENDING"
    assert cluster.reason(hard) not in ("BadConstraints", "JobHeldAdmin")
    assert len(cluster.grep_log("no usable fabric file, so")) - lines_before <= 1
    assert "fabric.json" in cluster.grep_log("no usable fabric file, so")[-1]
    cluster.cancel(soft)  # stock has put it anywhere, perhaps into every leaf group
    cluster.options.fabric = None  # mended: the job starts without anyone touching it
    cluster.write_conf()
    cluster.reconfigure()
    cluster.wait_running(hard)
    assert len(cluster.leaf_groups_of(hard)) == 1


def test_fabric_file_broken_at_reconfigure(cluster):
    cluster.options.fabric = "{"
    cluster.write_conf()
    cluster.reconfigure()
    soft = cluster.wait_running(cluster.sbatch(SOFT))
    hard = cluster.sbatch(HARD)
    assert "no usable fabric file" in cluster.admin_comment(soft)
    cluster.wait_for(lambda: cluster.grep_log(f"job {hard} with hard hints waits"), 20, "the log")
    assert cluster.state(hard) == "PENDING"


def test_broken_weights_leave_those_in_force(cluster):
    cluster.options.policy = {"placement": {"tier_crossing": 0.5}}
    try:
        cluster.write_conf()
        cluster.reconfigure()
        job = cluster.wait_running(cluster.sbatch(SOFT))
        mark = re.search(r" weights=([0-9a-f]{8})( |$)", cluster.admin_comment(job)).group(1)
        assert cluster.grep_log(f"in force: {mark}: tier_crossing 0.5")
        cluster.cancel(job)
        cluster.options.policy = {"placement": {"tier_crossing": "half"}}
        cluster.write_conf()
        cluster.reconfigure()
        job = cluster.wait_running(cluster.sbatch(HARD))
        # From 24.11 on a reconfigure is a new process, which has none in force but the defaults.
        kept = conf.slurm_version() < (24, 11)
        assert (f" weights={mark}" in cluster.admin_comment(job)) == kept
        assert "$.placement.tier_crossing: is" in cluster.grep_log("weights not taken")[-1]
    finally:
        cluster.options.policy = {}
        cluster.write_conf()
        cluster.reconfigure()


def test_nodes_that_slurm_lacks_are_ignored(cluster):
    document = copy.deepcopy(cluster.shape.fabric())
    document["nodes"]["ghost[1-4]"] = cluster.shape.gpu_type
    cluster.options.fabric = document
    cluster.use_plugin(True)
    job = cluster.wait_running(cluster.sbatch(HARD))
    assert len(cluster.leaf_groups_of(job)) == 1
    assert cluster.grep_log("4 nodes of the fabric file are not in slurm.conf")
