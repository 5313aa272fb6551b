"""The prologs of a job's nodes meet under real slurmds, with real munge: who is drained, and who is not.

The rails are simulated (a fake libibverbs); daemons, munge, prolog and probes are real.
"""

import json

import pytest

import conf
import ports
import shape as shapes

RAN = "echo ran | tee -a ran-$SLURM_JOB_ID; sleep 600"


@pytest.fixture(scope="module")
def cluster(new_cluster):
    built = {name: conf.find_built(name) for name in
             ("yardmaster-prolog", "yardmaster-rdma-probe", "yardmaster-crossnode-probe")}
    assert all(built.values()), f"not built: {built}"

    def health(directory):
        return {"rdma": {"library": f"{directory}/sim/%n/rdma/libibverbs.so.1",
                         "probe": str(built["yardmaster-rdma-probe"])},
                "crossnode": {"mode": "on", "probe": str(built["yardmaster-crossnode-probe"]),
                              "first_port": ports.free_block(8), "ports": 8, "meet_s": 3},
                "proven_for_s": 0, "deadline_s": 12}

    return new_cluster(shapes.servers(1, 2, 2), plugin=True, sim=True,
                       prolog=str(built["yardmaster-prolog"]), health=health)


@pytest.fixture(autouse=True)
def as_new(cluster):
    yield
    cluster.cancel_all()
    for node in cluster.drained():
        cluster.resume(node)
    cluster.heal_all()
    cluster.wait_for(lambda: set(cluster.node_states().values()) == {"idle"}, 30, "idle nodes")


def separate(cluster):
    """Rail-only fabrics: a node's own ring of rails answers nothing, so only other nodes can tell."""
    for node in cluster.shape.nodes:
        cluster.sim(node, "rdma-separate")


def evidence(cluster, node):
    """The node's last evidence; None when it kept none."""
    files = sorted((cluster.directory / "evidence" / node).glob("*.json"),
                   key=lambda path: path.stat().st_mtime_ns)
    return json.loads(files[-1].read_text()) if files else None


def signs(cluster, node):
    found = evidence(cluster, node)
    return {finding["sign"] for finding in found["findings"]} if found else set()


def test_healthy_nodes_meet_and_start(cluster):
    job = cluster.sbatch("-N4 --gpus-per-node=8", script="echo ran")
    cluster.wait_ended(job)
    assert cluster.output(job) == "ran\n" and cluster.drained() == {}
    assert not any(signs(cluster, node) for node in cluster.shape.nodes)


def test_port_that_fails_all_others_drains_its_node_alone(cluster):
    separate(cluster)
    bad = cluster.shape.nodes[1]
    cluster.sim(bad, "rdma-far-fault", "mlx5_3", "both", "retry")
    job = cluster.sbatch("-N4 --gpus-per-node=8", script=RAN)
    cluster.wait_for(lambda: bad in cluster.drained(), 30, "the drain")
    assert cluster.drained()[bad].startswith("ym mlx5_3 far lost")
    cluster.wait_for(lambda: cluster.restarts(job) == 1, 20, "the requeue")
    assert set(cluster.drained()) == {bad}
    assert not (cluster.directory / "jobs" / f"ran-{job}").exists()
    told = json.dumps(evidence(cluster, bad))
    assert "SIMULATED" in told
    assert "neighbours on the rail" in told or "does well with others" in told


def test_bad_pair_of_good_ports_drains_nobody(cluster):
    separate(cluster)
    first, second = cluster.shape.nodes[:2]
    cluster.sim(first, "rdma-cut", "mlx5_5", cluster.directory / "sim" / second, "mlx5_5")
    job = cluster.sbatch("-N4 --gpus-per-node=8", script="echo ran")
    cluster.wait_ended(job)
    assert cluster.output(job) == "ran\n" and cluster.drained() == {}
    assert "crossnode.pair" in signs(cluster, first) & signs(cluster, second)


def test_node_whose_program_does_not_come_is_unknown(cluster):
    absent = cluster.shape.nodes[2]
    cluster.sim(absent, "rdma-fault", "mlx5_0", "hang")  # until the others have met
    job = cluster.sbatch("-N4 --gpus-per-node=8", script="echo ran")
    cluster.wait_ended(job)
    assert cluster.output(job) == "ran\n" and cluster.drained() == {}
    assert "crossnode.peers" in signs(cluster, cluster.shape.nodes[0])
