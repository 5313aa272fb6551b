"""Node order from slurmctld to the tasks: spank_yardmaster, `yardmaster ranks`, `fabric export`."""

import json
import os
import pathlib
import shutil

import pytest

import conf
import shape
import slurm_text

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "docs" / "examples"
CLI = conf.find_built("yardmaster")
KINDS = ("TP", "CP", "EP", "DP", "PP")

# Two racks of five trays whose names take turns, so that Slurm's order by name cuts them to pieces.
RACKS = [[f"yard{number:02}" for number in range(first, 11, 2)] for first in (1, 2)]


def racks():
    leaves = [shape.Leaf(f"leaf{index + 1}", "pod1", nodes) for index, nodes in enumerate(RACKS)]
    return shape.Shape(4, "gb200", leaves, {"rack1": RACKS[0], "rack2": RACKS[1]}, cpus=16)


@pytest.fixture(scope="module")
def cluster(new_cluster):
    cluster = new_cluster(racks(), plugin=True, extra=("PrologFlags=Alloc",))
    give_tools(cluster)
    return cluster


def give_tools(cluster):
    """Copies: the checkout may be closed to others, and its files to execution."""
    tools = cluster.directory / "tools"
    (tools / "shown").mkdir(parents=True)
    for name in ("torchrun", "python", "show"):
        shutil.copy(HERE / "stand_in.py", tools / name)
        (tools / name).chmod(0o755)


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


def path(cluster):
    return {"PATH": f"{cluster.directory}/tools:{os.environ['PATH']}"}


def run(cluster, options, script, timeout=60):
    """Runs a batch script and returns what its processes showed, and the job."""
    job = cluster.sbatch(options, script, env=path(cluster))
    cluster.wait_ended(job, timeout)
    return shown(cluster, job), job


def shown(cluster, *jobs):
    """What processes of these jobs showed, in the order in which they did, so step by step."""
    files = [file for job in jobs
             for file in (cluster.directory / "tools" / "shown").glob(f"{job}.*.json")]
    return [json.loads(file.read_text())
            for file in sorted(files, key=lambda file: file.stat().st_mtime_ns)]


def mine(process, name):
    return process["env"].get(f"YARDMASTER_{name}")


def by_node_rank(processes):
    """[node], checked: every rank once, and one address for all."""
    assert processes
    nodes = {int(mine(p, "NODE_RANK")): p["env"]["SLURMD_NODENAME"] for p in processes}
    assert sorted(nodes) == list(range(len(nodes)))
    order = [nodes[rank] for rank in range(len(nodes))]
    assert len(set(order)) == len(order)
    assert {mine(p, "MASTER_ADDR") for p in processes} == {order[0]}
    assert {mine(p, "NNODES") for p in processes} == {str(len(order))}
    return order


def assert_one_rank_each(processes):
    """One task for each GPU: ranks are all there, and groups agree among the tasks."""
    count = len(processes)
    assert count
    assert sorted(int(mine(p, "RANK")) for p in processes) == list(range(count))
    for p in processes:
        assert int(mine(p, "RANK")) == (int(mine(p, "NODE_RANK")) * int(mine(p, "NPROC_PER_NODE"))
                                        + int(p["env"]["SLURM_LOCALID"]))
    for kind in KINDS:
        groups = {}
        for p in processes:
            groups.setdefault(mine(p, f"{kind}_GROUP"), []).append(int(mine(p, f"{kind}_RANK")))
        size = int(mine(processes[0], f"{kind}_SIZE"))
        assert all(sorted(places) == list(range(size)) for places in groups.values()), kind
        assert len(groups) * size == count, kind


def assert_tp_inside_domains(cluster, processes):
    domains = {}
    for p in processes:
        domain = cluster.shape.domain_of(p["env"]["SLURMD_NODENAME"])
        domains.setdefault(mine(p, "TP_GROUP"), set()).add(domain)
    assert all(len(found) == 1 for found in domains.values()), domains


def test_tasks_are_told_an_order_that_keeps_tp_groups_whole(cluster):
    # Both racks are needed, and by name their nodes take turns.
    tasks, job = run(cluster, "-N8 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp8&pp2",
                     "srun show")
    assert len(tasks) == 32
    order = by_node_rank(tasks)
    assert sorted(order) == sorted(cluster.nodes_of(job))
    assert {mine(p, "RANK_ORDER") for p in tasks} == {"domain"}
    assert_one_rank_each(tasks)
    assert_tp_inside_domains(cluster, tasks)
    by_name = sorted(order)
    pairs = [by_name[i:i + 2] for i in range(0, 8, 2)]
    assert any(cluster.shape.domain_of(a) != cluster.shape.domain_of(b) for a, b in pairs), \
        "Slurm's order would have done as well: the test shows nothing"


def test_gpus_stay_as_slurm_gave_them(cluster):
    tasks, _ = run(cluster, "-N2 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp8",
                   "YARDMASTER_SPANK=off srun show; srun show")
    assert len(tasks) == 16
    off, on = tasks[:8], tasks[8:]
    # Switched off, all keep what srun handed down from the batch script.
    assert len({mine(p, "NODE_RANK") for p in off}) == 1 and not any(mine(p, "RANK") for p in off)

    def visible(processes):
        return sorted((p["env"]["SLURM_PROCID"], p["env"]["CUDA_VISIBLE_DEVICES"])
                      for p in processes)
    assert visible(off) == visible(on)
    for p in on:
        local = int(p["env"]["SLURM_LOCALID"])
        assert mine(p, "RAIL") == str(local) and mine(p, "RAIL_NIC") == f"mlx5_{local}"


def test_torchrun_script(cluster):
    processes, job = run(cluster, "-N6 --gpus-per-node=4 --ntasks-per-node=1 --constraint=tp8",
                         f"{EXAMPLES}/torchrun.sh train.py --epochs 3")
    assert len(processes) == 6
    order = by_node_rank(processes)
    for p in processes:
        options = dict(word.split("=") for word in p["argv"][1:6])
        assert p["argv"][0] == "torchrun" and p["argv"][6:] == ["train.py", "--epochs", "3"]
        assert options["--nnodes"] == "6" and options["--nproc_per_node"] == "4"
        assert order[int(options["--node_rank"])] == p["env"]["SLURMD_NODENAME"]
        assert options["--master_addr"] == order[0]
        assert options["--master_port"] == str(20000 + job % 10000)
        assert len(mine(p, "TP_RANK").split(",")) == 4 and mine(p, "RAIL") == "0,1,2,3"
    groups = [{mine(p, "TP_GROUP") for p in processes if mine(p, "NODE_RANK") == str(rank)}
              for rank in range(6)]
    assert groups == [{"0"}, {"0"}, {"1"}, {"1"}, {"2"}, {"2"}]
    assert_tp_inside_domains(cluster, processes)


def test_megatron_script(cluster):
    tasks, _ = run(cluster, "-N4 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp8&pp2",
                   f"{EXAMPLES}/megatron.sh pretrain_gpt.py --bf16")
    assert len(tasks) == 16
    assert_one_rank_each(tasks)
    assert sorted(int(p["env"]["RANK"]) for p in tasks) == list(range(16))
    for p in tasks:
        assert p["env"]["RANK"] == mine(p, "RANK") and p["env"]["WORLD_SIZE"] == "16"
        assert p["env"]["MASTER_ADDR"] == mine(p, "MASTER_ADDR")
        assert p["argv"] == ["python", "pretrain_gpt.py", "--bf16",
                             "--tensor-model-parallel-size", "8", "--context-parallel-size", "1",
                             "--expert-model-parallel-size", "1",
                             "--pipeline-model-parallel-size", "2"]


@pytest.mark.parametrize("script", ["torchrun.sh", "megatron.sh"])
def test_scripts_stop_where_there_is_nothing_to_tell(cluster, script):
    processes, job = run(cluster, "-N1 --gpus-per-node=4 --ntasks-per-node=1 --constraint=tp4",
                         "unset $(env | grep -o '^YARDMASTER_[A-Z_]*'); "
                         f"export YARDMASTER_SPANK=off; {EXAMPLES}/{script} train.py")
    assert not processes
    assert "is spank_yardmaster in plugstack.conf" in cluster.output(job)
    assert cluster.state(job) == "FAILED"


def test_batch_script_and_steps_agree(cluster):
    processes, job = run(cluster, "-N6 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp8",
                         "show; srun show; srun --ntasks-per-node=1 -n6 show")
    batch, each, single = processes[0], processes[1:25], processes[25:]
    order = by_node_rank(each)
    assert by_node_rank(single) == order
    assert order[int(mine(batch, "NODE_RANK"))] == batch["env"]["SLURMD_NODENAME"]
    assert mine(batch, "MASTER_ADDR") == order[0] and mine(batch, "NNODES") == "6"
    assert mine(batch, "DP_SIZE") == "3"
    for p in single:
        tasks = {int(q["env"]["SLURM_LOCALID"]): q for q in each
                 if q["env"]["SLURMD_NODENAME"] == p["env"]["SLURMD_NODENAME"]}
        assert mine(p, "TP_RANK").split(",") == [mine(tasks[i], "TP_RANK") for i in range(4)]


def test_step_on_some_nodes_is_ranked_by_itself(cluster):
    tasks, _ = run(cluster, "-N6 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp4",
                   "srun -N3 -n12 show")
    assert len(tasks) == 12
    by_node_rank(tasks)
    assert_one_rank_each(tasks)
    assert {mine(p, "DP_SIZE") for p in tasks} == {"3"}


def test_job_on_one_node(cluster):
    tasks, _ = run(cluster, "-N1 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp2",
                   "srun show")
    assert by_node_rank(tasks) == [tasks[0]["env"]["SLURMD_NODENAME"]]
    assert_one_rank_each(tasks)
    assert all(mine(p, "RANK") == p["env"]["SLURM_PROCID"] for p in tasks)


def test_gpus_of_a_shared_node(cluster):
    node = RACKS[0][0]
    cluster.occupy(node, gpus=2)
    tasks, _ = run(cluster, f"-N1 --nodelist={node} --gpus-per-node=2 --ntasks-per-node=2 "
                             "--constraint=tp2", "srun show")
    rails = {int(p["env"]["SLURM_LOCALID"]): int(mine(p, "RAIL")) for p in tasks}
    assert rails == {0: 2, 1: 3}


def test_job_without_hints_has_an_order_and_no_groups(cluster):
    tasks, _ = run(cluster, "-N6 --gpus-per-node=4 --ntasks-per-node=4", "srun show")
    assert len(tasks) == 24
    by_node_rank(tasks)
    assert {mine(p, "RANK_ORDER") for p in tasks} == {"domain"}
    assert sorted(int(mine(p, "RANK")) for p in tasks) == list(range(24))
    assert not any(mine(p, "TP_SIZE") or mine(p, "TP_GROUP") for p in tasks)


def test_job_without_gpus_has_slurms_order_and_says_so(cluster):
    tasks, job = run(cluster, "-N4 --ntasks-per-node=2", "show; srun show")
    order = by_node_rank(tasks[1:])
    assert order == cluster.nodes_of(job)
    assert {mine(p, "RANK_ORDER") for p in tasks} == {"slurm"}
    assert all(mine(p, "NODE_RANK") == p["env"]["SLURM_NODEID"] for p in tasks)
    assert not any(mine(p, "RANK") or mine(p, "RAIL") for p in tasks)


def test_every_task_of_an_array_has_its_own_order(cluster):
    array = cluster.sbatch("-N4 --gpus-per-node=4 --ntasks-per-node=1 --constraint=tp8 --array=0-3",
                           "srun show", env=path(cluster))
    cluster.wait_for(lambda: all(task["JobState"] == "COMPLETED"
                                 for task in cluster.job_tasks(array)), 60, "the array's end")
    for record in cluster.job_tasks(array):
        tasks = shown(cluster, record["JobId"])
        assert len(tasks) == 4
        assert sorted(by_node_rank(tasks)) == sorted(slurm_text.expand(record["NodeList"]))
        assert_tp_inside_domains(cluster, tasks)


def test_components_of_a_het_job_are_ranked_by_themselves(cluster):
    job = int(cluster.command(
        "sbatch", "--parsable", "-N4", "--gpus-per-node=4",
        "--ntasks-per-node=4", "--constraint=tp8", ":", "-N2", "--gpus-per-node=4",
        "--ntasks-per-node=4", "--constraint=tp4",
        "--wrap", "srun --het-group=0 show; srun --het-group=1 show; srun --het-group=0,1 show",
        env=path(cluster)))
    cluster.wait_for(lambda: all(part["JobState"] == "COMPLETED"
                                 for part in cluster.job_tasks(job)), 60, "the het job's end")
    tasks = shown(cluster, job)  # all have the first component's number in SLURM_JOB_ID
    assert len(tasks) == 16 + 8 + 24
    for own, size in ((tasks[:16], "8"), (tasks[16:24], "4")):
        by_node_rank(own)
        assert_one_rank_each(own)
        assert {mine(p, "TP_SIZE") for p in own} == {size}
    both = {size: [p for p in tasks[24:] if mine(p, "TP_SIZE") == size] for size in ("8", "4")}
    assert [len(part) for part in both.values()] == [16, 8]
    for part in both.values():
        by_node_rank(part)


@pytest.mark.parametrize("words", [["srun"], ["salloc", "srun"]])
def test_without_a_batch_script(cluster, words):
    allocation = ["-N4", "--gpus-per-node=4", "--ntasks-per-node=4", "--constraint=tp8"]
    before = set((cluster.directory / "tools" / "shown").iterdir())
    cluster.command(words[0], *allocation, *words[1:], "show", env=path(cluster))
    known = set((cluster.directory / "tools" / "shown").iterdir()) - before
    tasks = [json.loads(file.read_text()) for file in known]
    assert len(tasks) == 16
    by_node_rank(tasks)
    assert_one_rank_each(tasks)
    assert_tp_inside_domains(cluster, tasks)


def test_an_environment_that_is_not_handed_on_changes_nothing(cluster):
    tasks, _ = run(cluster, "-N2 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp8",
                   f"srun --export=NONE {cluster.directory}/tools/show")
    assert len(tasks) == 8
    assert_one_rank_each(tasks)


def test_values_of_users_are_replaced(cluster):
    job = cluster.sbatch("-N2 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp8", "srun show",
                         env={**path(cluster), "YARDMASTER_NODE_RANK": "7",
                              "SPANK_YARDMASTER_RANKS": "order=domain gpus=4 nodes=forged"})
    cluster.wait_ended(job)
    assert by_node_rank(shown(cluster, job)) == cluster.nodes_of(job)


def test_notes_are_gone_when_the_job_is(cluster):
    job = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=4 --constraint=tp8"))
    notes = cluster.directory / "run" / "ranks"
    expected = {f"{job}.{node}" for node in cluster.nodes_of(job)}
    # The batch script's node may be ahead of the others' prologs.
    cluster.wait_for(lambda: {note.name for note in notes.glob(f"{job}.*")} == expected, 30,
                     "a note on every node")
    cluster.cancel(job)
    cluster.wait_for(lambda: not list(notes.glob(f"{job}.*")), 30, "the notes to go")


def once_noted(cluster, count, then):
    """A script that waits until the prologs of `count` nodes have left their notes."""
    notes = f"{cluster.directory}/run/ranks/$SLURM_JOB_ID.*"
    return f"until [ $(ls {notes} | wc -l) = {count} ]; do sleep 0.1; done; {then(notes)}"


def test_a_lost_note_leaves_the_variables_out_and_the_job_alone(cluster):
    job = cluster.sbatch("-N2 --gpus-per-node=4 --ntasks-per-node=1 --constraint=tp8",
                         once_noted(cluster, 2, lambda notes: f"rm {notes}; srun show"),
                         env=path(cluster))
    cluster.wait_ended(job)
    tasks = shown(cluster, job)
    assert cluster.state(job) == "COMPLETED" and len(tasks) == 2
    assert not any(name.startswith("YARDMASTER_") for p in tasks for name in p["env"])
    node = cluster.nodes_of(job)[0]
    assert cluster.grep_log("spank_yardmaster: ", f"slurmd-{node}")


def test_damaged_notes_end_in_the_log(cluster):
    job = cluster.sbatch("-N2 --gpus-per-node=4 --ntasks-per-node=1 --constraint=tp8",
                         once_noted(cluster, 2, lambda notes: f"for n in {notes}; do head -c 4096 "
                                    "/dev/urandom > $n; done; srun show"), env=path(cluster))
    cluster.wait_ended(job)
    assert cluster.state(job) == "COMPLETED"
    tasks = shown(cluster, job)
    assert len(tasks) == 2 and not any(mine(p, "NODE_RANK") for p in tasks)


def yardmaster(cluster, *words):
    return cluster.command(CLI, *words)


def test_the_command_agrees_with_the_plugin(cluster):
    job = cluster.sbatch("-N6 --gpus-per-node=4 --ntasks-per-node=1 --constraint=tp8",
                         "srun show; sleep 600", env=path(cluster))
    cluster.wait_running(job)
    cluster.wait_for(lambda: len(shown(cluster, job)) == 6, 30, "six tasks' words")
    order = by_node_rank(shown(cluster, job))
    hosts = yardmaster(cluster, "ranks", job, "--format", "srun", "--tasks-per-node", "1")
    assert hosts.split() == order
    env = yardmaster(cluster, "ranks", job, "--format", "env", "--node", order[3])
    told = dict(line.removeprefix("export ").split("=") for line in env.splitlines())
    for p in shown(cluster, job):
        if p["env"]["SLURMD_NODENAME"] == order[3]:
            assert told == {name: value for name, value in p["env"].items()
                            if name.startswith("YARDMASTER_") and "RAIL" not in name}


@pytest.mark.parametrize("gpus", ["--gpus=8 --ntasks-per-node=4", "-n8 --gpus-per-task=1"])
def test_gpus_of_all_nodes_together_give_ranks_where_each_has_as_many(cluster, gpus):
    tasks, _ = run(cluster, f"-N2 {gpus} --constraint=tp4&pp2", "srun show")
    assert len(tasks) == 8
    assert_one_rank_each(tasks)
    in_slurms_order = by_node_rank(tasks) == sorted(by_node_rank(tasks))
    same = all(mine(p, "RANK") == p["env"]["SLURM_PROCID"] for p in tasks)
    assert same == in_slurms_order


def test_uneven_gpus_give_no_ranks_and_it_is_said(cluster):
    job = cluster.sbatch("-N2 --gpus=5 --ntasks-per-node=1", "srun show; sleep 600",
                         env=path(cluster))
    cluster.wait_for(lambda: len(shown(cluster, job)) == 2, 30, "two tasks' words")
    assert by_node_rank(shown(cluster, job)) == cluster.nodes_of(job)
    assert not any(mine(p, "RANK") or mine(p, "NPROC_PER_NODE") for p in shown(cluster, job))
    assert cluster.grep_log("different numbers of GPUs", f"slurmd-{cluster.nodes_of(job)[0]}")
    asked = cluster.try_command(CLI, "ranks", job)
    assert asked.returncode != 0 and "different numbers of GPUs" in asked.stderr


def test_srun_follows_the_hostfile(cluster):
    job = cluster.sbatch("-N6 --gpus-per-node=4 --ntasks-per-node=4 --constraint=tp8", """
        %s ranks $SLURM_JOB_ID --format srun --output hosts.$SLURM_JOB_ID
        SLURM_HOSTFILE=hosts.$SLURM_JOB_ID srun --distribution=arbitrary --ntasks=24 show""" % CLI,
                         env=path(cluster))
    cluster.wait_ended(job)
    tasks = shown(cluster, job)
    assert len(tasks) == 24, cluster.output(job)
    by_node_rank(tasks)
    assert_one_rank_each(tasks)
    assert all(mine(p, "RANK") == p["env"]["SLURM_PROCID"] for p in tasks)


def test_without_prolog_at_allocation_every_node_has_slurms_order(new_cluster):
    other = new_cluster(racks(), plugin=True)
    give_tools(other)
    tasks, job = run(other, "-N4 --gpus-per-node=4 --ntasks-per-node=1 --constraint=tp8", "srun show")
    assert by_node_rank(tasks) == other.nodes_of(job)
    assert {mine(p, "RANK_ORDER") for p in tasks} == {"slurm"}


# --- fabric export: slurmctld reads what it wrote -------------------------------------------------


def node_table(cluster):
    return [line.split()[0].removeprefix("NodeName=") for line in
            cluster.command("scontrol", "show", "node", "-o").splitlines()]


def export(cluster, *words):
    return yardmaster(cluster, "fabric", "export", cluster.conf.etc / "fabric.json", *words)


def use_topology(cluster, kind, parameter=""):
    """Restarts slurmctld with the topology.conf that the command writes."""
    written = cluster.directory / "exported"
    export(cluster, "--format", kind, "--output", written)
    cluster.options.topology, cluster.options.topology_conf = kind, written.read_text()
    cluster.options.extra = (f"TopologyParam={parameter}",) if parameter else ()
    cluster.kill_ctld()
    cluster.write_conf()
    cluster.start_ctld()


def test_slurmctld_reads_the_tree(new_cluster):
    ranks = conf.slurm_version() >= (23, 2)
    cluster = new_cluster(racks(), plugin=False, cloud=True)
    use_topology(cluster, "tree", "SwitchAsNodeRank" if ranks else "")
    switches = cluster.command("scontrol", "show", "topology")
    assert "SwitchName=leaf1" in switches and "SwitchName=core" in switches
    found = {words["SwitchName"]: slurm_text.expand(words["Nodes"]) for words in
             (dict(word.split("=", 1) for word in line.split()) for line in switches.splitlines())}
    assert sorted(found["leaf1"]) == sorted(RACKS[0]) and len(found["core"]) == 10
    table = node_table(cluster)
    assert table == (RACKS[0] + RACKS[1] if ranks else sorted(RACKS[0] + RACKS[1]))


def test_new_names_put_slurms_table_in_the_order_of_the_fabric(new_cluster):
    cluster = new_cluster(racks(), plugin=False, cloud=True)
    text = export(cluster, "--format", "names", "--prefix", "tray")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    hosts = [line.split("NodeHostname=")[1] for line in lines]
    assert sorted(hosts[:5]) == sorted(RACKS[0]) and sorted(hosts[5:]) == sorted(RACKS[1])
    cluster.kill_ctld()
    conf_file = cluster.conf.etc / "slurm.conf"
    kept = [line for line in conf_file.read_text().splitlines() if not line.startswith("NodeName=")]
    # Read backwards, so that the order is Slurm's sorting and not the file's.
    named = [f"{line} State=CLOUD CPUs=16" for line in reversed(lines)]
    at = next(i for i, line in enumerate(kept) if line.startswith("PartitionName="))
    conf_file.write_text("\n".join(kept[:at] + named + kept[at:]) + "\n")
    (cluster.conf.etc / "gres.conf").write_text("")
    cluster.start_ctld()
    assert node_table(cluster) == [line.split()[0].removeprefix("NodeName=") for line in lines]


@pytest.mark.skipif(conf.slurm_version() < (24, 5), reason="topology/block begins with Slurm 24.05")
def test_slurmctld_reads_the_blocks(new_cluster):
    cluster = new_cluster(racks(), plugin=False, cloud=True)
    use_topology(cluster, "block")
    blocks = cluster.command("scontrol", "show", "topology")
    assert "BlockName=rack1" in blocks and "BlockName=rack2" in blocks
