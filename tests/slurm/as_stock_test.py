"""What Slurm refuses or keeps back for reasons of its own is as without our plugins."""

import pytest


@pytest.fixture(scope="module", params=[False, True], ids=["stock", "ours"])
def cluster(request, new_cluster):
    return new_cluster(plugin=request.param, extra=("Licenses=solver:1",))


@pytest.fixture(autouse=True)
def empty_queue(cluster):
    yield
    cluster.cancel_all()


@pytest.mark.parametrize("hint", ["", "pp2", "tp8", "leaf"])
def test_job_waits_for_a_license_and_says_so(cluster, hint):
    if hint and not cluster.options.plugin:
        pytest.skip("stock Slurm knows no hints")
    words = f"--constraint={hint}" if hint else ""
    holder = cluster.wait_running(cluster.sbatch("-N1 --gpus-per-node=8 -L solver"))
    job = cluster.sbatch(f"-N2 --gpus-per-node=8 -L solver {words}")
    cluster.wait_for(lambda: cluster.reason(job) == "Licenses", 30, "reason Licenses")
    cluster.cancel(holder)
    cluster.wait_running(job)


@pytest.mark.parametrize("hint", ["", "tp4"])
def test_reserved_gpu_nodes_are_for_the_reservation(cluster, hint):
    """Whole nodes; a reservation of some GPUs of a node needs slurmdbd, which is not here."""
    if hint and not cluster.options.plugin:
        pytest.skip("stock Slurm knows no hints")
    words = f"--gpus-per-node=4 --constraint={hint}" if hint else "--gpus-per-node=4"
    reserved = cluster.leaf("leaf1")[:2]
    cluster.command("scontrol", "create", "reservation", "ReservationName=lesson", "StartTime=now",
                    "Duration=60", "Users=root", f"Nodes={','.join(reserved)}")
    try:
        inside = cluster.sbatch(f"-N2 {words} --reservation=lesson")
        outside = cluster.sbatch(f"-N14 {words}")
        too_large = cluster.sbatch(f"-N15 {words}")
        cluster.wait_running(inside)
        cluster.wait_running(outside)
        assert sorted(cluster.nodes_of(inside)) == sorted(reserved)
        assert not set(cluster.nodes_of(outside)) & set(reserved)
        assert cluster.state(too_large) == "PENDING"
        cluster.cancel(inside, outside, too_large)
    finally:
        cluster.command("scontrol", "delete", "ReservationName=lesson")
