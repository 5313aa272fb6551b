"""Hints from submit to the end of a job: refused or kept, through updates and requeues."""

import re
import signal

import pytest

import conf


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster(plugin=True)


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


SIZE = "-N4 --gpus-per-node=8"


@pytest.mark.parametrize("constraint, said", [
    ("tp8|h100", "tp8"),
    ("[h100|tp8]", "tp8"),
    ("(tp8&h100)", "tp8"),
    ("tp8*2", "tp8"),
    ("tp=8", "tp8"),
    ("TP8", "tp8"),
    ("tp0", "tp0"),
    ("tp7", "tp7"),
    ("tp16", "largest NVLink domain here has 8 GPUs"),
    ("tp8&tp4", "tp"),
    ("tp8&pp3", "pp3"),
    ("h100*2&tp8", "\\*"),
    ("[h100*2&h100*2]&tp8", "\\*"),
])
def test_bad_hint_is_refused_with_a_reason(cluster, constraint, said):
    text = cluster.refusal([*SIZE.split(), f"--constraint={constraint}"])
    assert re.search(said, text), text


@pytest.mark.parametrize("options, said", [
    ("-N2 --gpus-per-node=8 --prefer=tp8", "--prefer"),
    ("-N2 --constraint=tp8", "--gpus-per-node"),
    ("-N5-8 --gpus-per-node=8 --constraint=leaf", "leaf"),
    ("--gpus=17 --constraint=tp8", "17"),
    ("-N3 --gpus=16 --constraint=tp8", "--gpus-per-node"),
    ("-N2 --gpus-per-node=8 --contiguous --constraint=leaf", "--contiguous"),
    ("-N2 --gpus-per-node=9 --constraint=rail", "the largest has 8"),
    ("-N5 --gpus-per-node=8 --constraint=leaf", "leaf"),
])
def test_hint_that_cannot_be_kept_is_refused(cluster, options, said):
    assert said in cluster.refusal(options)


def test_one_of_two_features_beside_a_hint(cluster):
    job = cluster.sbatch([*SIZE.split(), "--constraint=[h100|h100]&tp8"])
    cluster.wait_running(job)
    assert cluster.show_job(job)["Features"] == "[h100|h100]"
    assert len(cluster.leaf_groups_of(job)) == 1


def test_unknown_feature_is_refused_as_before(cluster):
    text = cluster.refusal([*SIZE.split(), "--constraint=tp8&nosuch"])
    assert "Invalid feature specification" in text


def test_forged_hints_in_the_environment_do_nothing(cluster):
    job = cluster.wait_running(cluster.sbatch(
        SIZE, env={"SPANK_YARDMASTER_HINTS": "tp3", "YARDMASTER_HINTS": "tp3"}))
    assert "tp3" not in cluster.admin_comment(job)


def pending(cluster, constraint, user=None):
    cluster.occupy(cluster.shape.nodes)
    return cluster.sbatch([*SIZE.split(), f"--constraint={constraint}"], user=user)


def receipt_after_start(cluster, job):
    for other in cluster.queue():
        if other != job:
            cluster.cancel(other)
    cluster.wait_running(job)
    return cluster.admin_comment(job)


@pytest.mark.parametrize("before, update, features, hints, gone", [
    ("tp8", "tp4", None, "tp4", "tp8"),
    ("h100&tp8", "tp4", None, "tp4", "tp8"),
    ("tp8", "h100&pp2", "h100", "pp2", "tp8"),
    ("h100&tp8", "h100", "h100", "", "tp8"),
    ("tp8", "", None, "", "tp8"),
])
def test_update_by_the_user_replaces_hints(cluster, before, update, features, hints, gone):
    job = pending(cluster, before, user="nobody")
    cluster.update(f"JobId={job} Features={update}", user="nobody")
    assert cluster.show_job(job)["Features"] == (features or "(null)")
    receipt = receipt_after_start(cluster, job)
    assert hints in receipt and gone not in receipt


@pytest.mark.parametrize("update", ["tp7", "nosuch&tp4", "tp4|h100", "tp16"])
def test_refused_update_changes_nothing(cluster, update):
    job = pending(cluster, "h100&tp8", user="nobody")
    done = cluster.try_command("scontrol", "update", f"JobId={job}", f"Features={update}",
                               user="nobody")
    assert done.returncode != 0
    assert cluster.show_job(job)["Features"] == "h100"
    assert "tp8" in receipt_after_start(cluster, job)


def test_update_of_the_size_is_held_to_the_hints(cluster):
    job = pending(cluster, "leaf")
    assert cluster.try_command("scontrol", "update", f"JobId={job}", "NumNodes=8").returncode != 0
    # To 22.05 "NumNodes=2" means from 2 up to the 4 of before, no fixed number; to 24.11 just 2.
    cluster.update(f"JobId={job} NumNodes=2")
    cluster.update(f"JobId={job} NumNodes=2-2")
    cluster.update(f"JobId={job} TimeLimit=5")
    receipt_after_start(cluster, job)
    assert len(cluster.nodes_of(job)) == 2


def test_requeue_clears_the_receipt_and_keeps_the_hints(cluster):
    job = cluster.wait_running(cluster.sbatch(SIZE + " --constraint=tp8"))
    first = cluster.admin_comment(job)
    assert "tp8" in first
    cluster.command("scontrol", "requeuehold", job)
    cluster.wait_state(job, "PENDING")
    assert cluster.admin_comment(job) == ""
    cluster.wait_for(lambda: set(cluster.node_states().values()) == {"idle"}, 20, "free nodes")
    cluster.command("scontrol", "release", job)
    cluster.wait_running(job, timeout=150)  # a requeued job rests for a while
    assert cluster.admin_comment(job) == first


def test_comment_of_an_admin_is_kept(cluster):
    job = pending(cluster, "tp8&leaf")  # tp8 alone would take what is free first, of several leaf groups
    cluster.update(f"JobId={job} AdminComment=x")
    assert receipt_after_start(cluster, job) == "x"
    assert len(cluster.leaf_groups_of(job)) == 1
    assert cluster.grep_log(f"job {job}: yardmaster: ")


def test_array_with_slurmctld_killed_midway(cluster):
    array = cluster.sbatch("-N2 --gpus-per-node=8 --constraint=tp8 --array=0-9%3")
    cluster.wait_for(lambda: sum(task["JobState"] == "RUNNING" for task in
                                 cluster.job_tasks(array)) == 3, 30, "three running tasks")
    cluster.wait_saved()
    cluster.restart_ctld(signal.SIGKILL)
    tasks = cluster.job_tasks(array)
    running = [task for task in tasks if task["JobState"] == "RUNNING"]
    waiting = [task for task in tasks if task["JobState"] == "PENDING"]
    assert len(running) == 3 and waiting
    assert all("tp8" in task["AdminComment"] for task in running)
    assert all(not task.get("AdminComment") for task in waiting)
    cluster.cancel(f"{array}_{running[0]['ArrayTaskId']}")
    fresh = cluster.wait_for(
        lambda: [task for task in cluster.job_tasks(array) if task["JobState"] == "RUNNING" and
                 task["JobId"] not in {old["JobId"] for old in running}], 30, "the next task")
    assert "tp8" in fresh[0]["AdminComment"]


def test_hints_receipts_and_jobs_outlive_a_killed_slurmctld(cluster):
    running = cluster.wait_running(cluster.sbatch(SIZE + " --constraint=tp8"))
    filler = cluster.occupy([node for node in cluster.shape.nodes
                             if node not in cluster.nodes_of(running)])
    waiting = cluster.sbatch([*SIZE.split(), "--constraint=h100&tp4"])
    receipt = cluster.admin_comment(running)
    cluster.wait_saved()
    cluster.restart_ctld(signal.SIGKILL)
    assert cluster.state(running) == "RUNNING" and cluster.admin_comment(running) == receipt
    assert cluster.state(waiting) == "PENDING"
    cluster.cancel(filler)
    cluster.wait_running(waiting)
    assert "tp4" in cluster.admin_comment(waiting)
    assert cluster.show_job(waiting)["Features"] == "h100"


@pytest.mark.parametrize("options, accepted", [
    ("-N4 --gpus-per-node=8 --constraint=tp8", True),
    ("-N4 --gpus-per-node=8 --constraint=tp16", False),
    ("-N4 --gpus-per-node=99", False),
])
def test_test_only_agrees_with_a_real_submit(cluster, options, accepted):
    for command in (("sbatch", "--test-only", *options.split(), "--wrap", "true"),
                    ("srun", "--test-only", *options.split(), "true")):
        assert (cluster.try_command(*command).returncode == 0) == accepted, command
    if accepted:
        cluster.sbatch(options)
    else:
        cluster.refusal(options)


def test_immediate_job_starts_or_fails_at_once(cluster):
    words = ["srun", "-I", "-N4", "--gpus-per-node=8", "--constraint=tp8", "true"]
    assert cluster.try_command(*words).returncode == 0
    cluster.occupy(cluster.shape.nodes)
    assert cluster.try_command(*words).returncode != 0
