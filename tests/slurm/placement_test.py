"""Where jobs land with our plugins: hints kept, groups whole, nothing else changed."""

import pytest

import shape as shapes


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster(plugin=True)


@pytest.fixture(scope="module")
def racks(new_cluster):
    """Two racks of six nodes with four GPUs, each rack one NVLink domain."""
    return new_cluster(shapes.nvl72(racks=2, present=6), plugin=True)


@pytest.fixture(autouse=True)
def empty_queue(request):
    yield
    for name in ("cluster", "racks"):
        if name in request.fixturenames:
            request.getfixturevalue(name).cancel_all()


def leave_free(cluster, **free):
    """Occupies whole nodes until each leaf group has only so many free ones."""
    taken = [node for leaf in ("leaf1", "leaf2", "leaf3", "leaf4")
             for node in cluster.leaf(leaf)[free.get(leaf, 0):]]
    cluster.occupy(taken)


def test_tp8_job_lands_in_one_leaf_group(cluster):
    for _ in range(4):  # fills the cluster, one leaf group a job
        job = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8"))
        assert len(cluster.leaf_groups_of(job)) == 1
        assert all(len(gpus) == 8 for gpus in cluster.gpus_of(job).values())


def test_only_leaf_group_with_four_free_is_found(cluster):
    leave_free(cluster, leaf1=3, leaf2=2, leaf3=4, leaf4=1)
    job = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8"))
    assert set(cluster.leaf_groups_of(job)) == {"leaf3"}


def test_two_and_three_free_in_one_pod_beat_crossing_pods(cluster):
    leave_free(cluster, leaf1=3, leaf2=0, leaf3=2, leaf4=3)
    job = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8"))
    assert set(cluster.pods_of(job)) == {"pod2"}
    assert sorted(map(len, cluster.leaf_groups_of(job).values())) == [2, 2]


def test_gpu_job_without_hints_is_kept_together(cluster):
    job = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8"))
    assert len(cluster.leaf_groups_of(job)) == 1


def test_real_features_beside_hints_are_kept(cluster):
    job = cluster.wait_running(
        cluster.sbatch(["-N2", "--gpus-per-node=8", "--constraint=h100&tp8&pp2"]))
    assert cluster.show_job(job)["Features"] == "h100"
    assert "tp8&pp2" in cluster.admin_comment(job)


def test_receipt_says_how_the_job_was_placed(cluster):
    job = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8"))
    receipt = cluster.admin_comment(job)
    assert receipt.startswith("yardmaster:") and "tp8" in receipt and len(receipt) <= 256


def test_pending_job_has_no_receipt(cluster):
    cluster.occupy(cluster.shape.nodes)
    job = cluster.sbatch("-N4 --gpus-per-node=8 --constraint=tp8")
    cluster.wait_for(lambda: cluster.reason(job) == "Resources", 20, "reason Resources")
    assert cluster.admin_comment(job) == ""


def test_job_without_gpus_stays_out_of_free_leaf_groups(cluster):
    cluster.occupy(cluster.leaf("leaf3")[0])
    for _ in range(3):
        job = cluster.wait_running(cluster.sbatch("-N1"))
        assert set(cluster.leaf_groups_of(job)) == {"leaf3"}
        assert cluster.admin_comment(job) == ""


def test_small_gpu_job_goes_into_the_leaf_group_in_use(cluster):
    cluster.occupy(cluster.leaf("leaf2")[:2])
    job = cluster.wait_running(cluster.sbatch("-N1 --gpus-per-node=8"))
    assert set(cluster.leaf_groups_of(job)) == {"leaf2"}


def test_jobs_never_share_a_gpu(cluster):
    jobs = [cluster.sbatch(f"-N{nodes} --gpus-per-node={gpus} {hint}")
            for nodes, gpus, hint in ((1, 3, ""), (2, 4, "--constraint=tp4"), (4, 2, ""),
                                      (3, 8, "--constraint=tp8"), (1, 1, ""), (2, 5, ""),
                                      (6, 4, "--constraint=tp2"), (1, 8, "--constraint=leaf"))]
    taken = {}
    for job in jobs:
        cluster.wait_running(job)
        for node, gpus in cluster.gpus_of(job).items():
            assert not taken.setdefault(node, set()) & gpus, f"job {job} shares GPUs of {node}"
            taken[node] |= gpus
    for node in cluster.shape.nodes:
        assert cluster.gpus_in_use(node) == taken.get(node, set())


def test_leaf_hint_waits_for_a_leaf_group(cluster):
    leave_free(cluster, leaf1=2, leaf2=2)
    waiting = cluster.sbatch("-N4 --gpus-per-node=8 --constraint=leaf")
    plain = cluster.wait_running(cluster.sbatch("-N2 --gpus-per-node=8"))
    assert cluster.state(waiting) == "PENDING"
    cluster.cancel(plain)
    cluster.cancel_all()
    again = cluster.wait_running(cluster.sbatch("-N4 --gpus-per-node=8 --constraint=leaf"))
    assert len(cluster.leaf_groups_of(again)) == 1


def test_nodelist_is_respected(cluster):
    wanted = {cluster.leaf("leaf1")[0], cluster.leaf("leaf4")[0]}
    job = cluster.wait_running(cluster.sbatch(
        f"-N4 --gpus-per-node=8 --constraint=tp8 --nodelist={','.join(sorted(wanted))}"))
    assert wanted < set(cluster.nodes_of(job))


def test_excluded_nodes_are_left_alone(cluster):
    out = cluster.leaf("leaf1") + cluster.leaf("leaf2")[:1]
    job = cluster.wait_running(cluster.sbatch(
        f"-N8 --gpus-per-node=8 --constraint=tp8 --exclude={','.join(out)}"))
    assert not set(out) & set(cluster.nodes_of(job))


def test_group_too_large_for_a_server_is_refused(cluster):
    said = cluster.refusal("-N4 --gpus-per-node=8 --constraint=tp16")
    assert "largest NVLink domain here has 8 GPUs" in said


def test_tp_groups_across_nodes_stay_in_their_rack(racks):
    first = racks.wait_running(racks.sbatch("-N4 --gpus-per-node=4 --constraint=tp8"))
    assert len(racks.domains_of(first)) == 1
    second = racks.wait_running(racks.sbatch("-N6 --gpus-per-node=4 --constraint=tp8"))
    assert all(len(nodes) % 2 == 0 for nodes in racks.domains_of(second).values())


def test_tp16_takes_four_nodes_of_each_rack(racks):
    job = racks.wait_running(racks.sbatch("-N8 --gpus-per-node=4 --constraint=tp16"))
    assert [len(nodes) for nodes in racks.domains_of(job).values()] == [4, 4]


def test_split_group_is_never_placed(racks):
    # Three nodes stay free in each rack: six in all, but no rack has the four of one group.
    racks.occupy([node for rack in racks.shape.domains.values() for node in rack[:3]])
    job = racks.sbatch("-N4 --gpus-per-node=4 --constraint=tp16")
    plain = racks.wait_running(racks.sbatch("-N4 --gpus-per-node=4"))
    assert racks.state(job) == "PENDING"
    racks.cancel(plain)
