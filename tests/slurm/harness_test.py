"""The test cluster itself, with stock Slurm."""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

import conf
import daemons
import shape as shapes
from jobs import CommandFailed
from ymcluster import Cluster


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster()


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


def test_sixteen_nodes_are_idle(cluster):
    states = cluster.node_states()
    assert len(states) == 16
    assert set(states.values()) == {"idle"}


def test_job_runs_and_prints(cluster):
    job = cluster.sbatch("-N1", script="echo hello from $SLURMD_NODENAME")
    cluster.wait_ended(job)
    assert cluster.output(job) == f"hello from {cluster.nodes_of(job)[0]}\n"


def test_job_of_a_user_sees_its_gpus(cluster):
    job = cluster.sbatch("-N1 --gpus-per-node=3", script="echo $SLURM_JOB_GPUS; id -un",
                         user="nobody")
    cluster.wait_ended(job)
    assert cluster.output(job) == "0,1,2\nnobody\n"


def test_gpu_indices_of_every_node_are_read(cluster):
    job = cluster.wait_running(cluster.sbatch("-N3 --gpus-per-node=5"))
    gpus = cluster.gpus_of(job)
    assert set(gpus) == set(cluster.nodes_of(job))
    assert all(indices == {0, 1, 2, 3, 4} for indices in gpus.values())
    assert cluster.gpus_in_use(cluster.nodes_of(job)[0]) == {0, 1, 2, 3, 4}


def test_two_jobs_never_share_a_gpu(cluster):
    node = cluster.leaf("leaf1")[0]
    jobs = [cluster.occupy(node, gpus=3), cluster.occupy(node, gpus=4)]
    first, second = (cluster.gpus_of(job)[node] for job in jobs)
    assert len(first) == 3 and len(second) == 4 and not first & second
    waiting = cluster.occupy(node, gpus=2, wait=False)
    cluster.wait_for(lambda: cluster.reason(waiting) == "Resources", 10, "reason Resources")
    cluster.cancel(jobs[0])
    cluster.wait_running(waiting)


def test_stock_order_scatters_over_leaf_groups(cluster):
    job = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8"))
    assert len(cluster.leaf_groups_of(job)) > 1  # else the fabric shows no difference


def test_occupied_nodes_are_left_alone(cluster):
    full = cluster.leaf("leaf2")
    cluster.occupy(full)
    job = cluster.wait_running(cluster.sbatch("-N12 --gpus-per-node=1"))
    assert not set(full) & set(cluster.nodes_of(job))


def test_unknown_constraint_is_refused(cluster):
    assert "Invalid feature specification" in cluster.refusal("-N1 --constraint=tp8")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_restart_keeps_jobs(cluster, number):
    running = cluster.occupy(cluster.shape.nodes)
    waiting = cluster.sbatch("-N1 --gpus-per-node=1")
    if number == signal.SIGKILL:
        cluster.wait_saved()
    cluster.restart_ctld(number)
    assert cluster.state(running) == "RUNNING"
    assert cluster.state(waiting) == "PENDING"
    cluster.cancel(running)
    cluster.wait_running(waiting)


def test_drained_node_keeps_its_reason(cluster):
    node = cluster.leaf("leaf3")[1]
    cluster.drain(node, "ym mlx5_3 100/400Gb job=12")
    assert cluster.drained() == {node: "ym mlx5_3 100/400Gb job=12"}
    cluster.resume(node)
    cluster.wait_for(lambda: not cluster.drained(), 10, "the node to resume")


def test_refused_command_raises_with_what_it_said(cluster):
    with pytest.raises(CommandFailed, match="invalid partition"):
        cluster.sbatch("-p nosuch")


def test_commands_work_with_an_empty_plugin_folder(cluster):
    assert "yard01" in cluster.command("sinfo", "-N", bare=True)


def test_reconfigure_reads_changed_files(cluster):
    cluster.options.extra_partitions = ("PartitionName=other Nodes=ALL",)
    cluster.write_conf()
    cluster.reconfigure()
    assert "other" in cluster.command("sinfo", "-h", "-o", "%R")


def test_log_is_searched(cluster):
    assert cluster.grep_log("Running as primary controller")
    assert not cluster.grep_log("Zero Bytes")


def test_clusters_stand_side_by_side(cluster, new_cluster):
    other = new_cluster(shapes.nvl72(racks=2, present=3))
    assert len(other.node_states()) == 6 and len(cluster.node_states()) == 16
    job = other.wait_running(other.sbatch("-N2 --gpus-per-node=4"))
    assert other.gpus_of(job) == {node: {0, 1, 2, 3} for node in other.nodes_of(job)}
    assert cluster.queue() == {}
    other.stop()
    assert set(cluster.node_states().values()) == {"idle"}


def test_cloud_cluster_places_without_slurmds(new_cluster):
    cloud = new_cluster(shapes.large(100), cloud=True)
    job = cloud.wait_running(cloud.sbatch("-N4 --gpus-per-node=8"))
    assert cloud.gpus_of(job) == {node: set(range(8)) for node in cloud.nodes_of(job)}


def test_failing_prolog_drains_and_requeues(new_cluster, tmp_path):
    script = tmp_path / "prolog"
    script.write_text("#!/bin/bash\n[ $SLURMD_NODENAME != yard01 ]\n")
    script.chmod(0o755)
    small = new_cluster(shapes.servers(1, 1, 2), prolog=str(script))
    job = small.sbatch("-N1 --nodelist=yard01", script="echo ran")
    small.wait_for(lambda: small.drained() == {"yard01": "Prolog error"}, 20, "the drain")
    small.wait_for(lambda: small.restarts(job) == 1, 20, "the requeue")
    assert small.state(job) == "PENDING" and not small.output(job)


def loaded(cluster, name):
    """The file that slurmctld has loaded as plugin `name`."""
    maps = pathlib.Path(f"/proc/{cluster.ctld_pid()}/maps").read_text()
    return next(pathlib.Path(line.split()[-1]) for line in maps.splitlines()
                if line.endswith(f"/{name}"))


def test_plugins_are_swapped_under_running_jobs(new_cluster, tmp_path):
    shutil.copy(f"{conf.slurm_plugin_dir()}/select_cons_tres.so", tmp_path)
    swapped = new_cluster(shapes.servers(1, 1, 2), plugin=True, plugin_dir=str(tmp_path))
    job = swapped.occupy("yard01")
    for ours in (True, False, True):
        swapped.use_plugin(ours)
        folder = loaded(swapped, "select_cons_tres.so").parent
        assert (folder == swapped.directory / "plugins") == ours
        assert swapped.state(job) == "RUNNING"


def test_missing_plugins_are_an_error(new_cluster, tmp_path):
    with pytest.raises(RuntimeError, match="build them first"):
        new_cluster(shapes.servers(1, 1, 2), plugin=True, plugin_dir=str(tmp_path))


def test_cpu_only_and_powered_down_nodes(new_cluster):
    mixed = new_cluster(shapes.servers(1, 1, 4), bare_nodes=("yard01",), cloud_nodes=("yard04",),
                        node_extra={"yard02": "Weight=10 Feature=h100,fa"})
    assert mixed.node_states() == {"yard01": "idle", "yard02": "idle", "yard03": "idle",
                                   "yard04": "idle~"}
    assert mixed.show_node("yard01")["Gres"] == "(null)"
    job = mixed.wait_running(mixed.sbatch("-N1 --gpus-per-node=1 --constraint=fa"))
    assert mixed.nodes_of(job) == ["yard02"]


@pytest.mark.skipif(conf.find_built("ym-sim-node") is None, reason="ym-sim-node is not built")
def test_simulated_hardware_is_damaged_and_healed(new_cluster):
    sim = new_cluster(shapes.servers(1, 1, 2), sim=True)
    rate = sim.directory / "sim" / "yard02" / "sys/class/infiniband/mlx5_3/ports/1/rate"
    assert rate.read_text().startswith("400 ")
    sim.sim("yard02", "set-rate", "mlx5_3", 100)
    assert rate.read_text().startswith("100 ")
    sim.sim("yard02", "heal")
    assert rate.read_text().startswith("400 ")
    policy = json.loads((sim.directory / "etc" / "yardmaster.json").read_text())
    library = policy["health"]["nvml_library"].replace("%n", "yard02")
    assert pathlib.Path(library).exists()


def test_second_start_begins_anew_but_not_over_a_running_cluster(new_cluster):
    first = new_cluster(shapes.servers(1, 1, 2))
    first.occupy("yard01")
    again = Cluster(first.directory, shapes.servers(1, 1, 2))
    with pytest.raises(RuntimeError, match="stop it first"):
        again.start()
    first.stop()
    with again:
        assert again.queue() == {}


def test_cluster_of_a_killed_process_ends(tmp_path):
    folder = pathlib.Path(daemons.__file__).parent
    code = (f"import sys, time; sys.path.insert(0, {str(folder)!r}); import ymcluster, shape\n"
            f"c = ymcluster.Cluster({str(tmp_path / 'c')!r}, shape.servers(1, 1, 2)).start()\n"
            "c.occupy('yard01'); print('up', flush=True); time.sleep(600)")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as owner:
        assert owner.stdout.readline() == b"up\n"
        assert len(daemons.marked(tmp_path / "c")) >= 4
        owner.kill()
    deadline = time.monotonic() + 20
    while daemons.marked(tmp_path / "c"):
        assert time.monotonic() < deadline, "daemons outlive the process that started them"
        time.sleep(0.1)


def test_command_line_starts_and_stops(tmp_path):
    program = pathlib.Path(daemons.__file__).with_name("ymcluster")
    directory = tmp_path / "c"
    subprocess.run([program, "start", directory, "--shape", "1x1x2x4"], check=True)
    try:
        shown = subprocess.run(["bash", "-c", f'eval "$({program} env {directory})"; sinfo -hN'],
                               check=True, capture_output=True, text=True).stdout
        assert shown.split()[0] == "yard01"
    finally:
        subprocess.run([program, "stop", directory], check=True)
    assert not daemons.marked(directory)
