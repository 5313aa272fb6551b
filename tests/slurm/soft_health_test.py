"""Nodes whose links are in doubt: a mark in Extra keeps jobs away among equals, and nothing else."""

import time

import pytest

import conf
import shape as shapes


@pytest.fixture(scope="module")
def cluster(new_cluster):
    program = conf.find_built("yardmaster-prolog")
    assert program, "yardmaster-prolog is not built"
    return new_cluster(shapes.servers(1, 2, 2), plugin=True, sim=True, prolog=str(program))


@pytest.fixture(autouse=True)
def as_new(cluster):
    yield
    cluster.cancel_all()
    cluster.heal_all()


def mark(cause="mlx5_3 flapped"):
    now = int(time.time())
    return f'{{"yardmaster":{{"soft":"{cause}","since":{now},"until":{now + 3600}}}}}'


def set_extra(cluster, node, text):
    cluster.update(f"NodeName={node}", f"Extra={text}")


def extra_line(cluster, node):
    printed = cluster.command("scontrol", "show", "node", node)
    return next((line for line in printed.splitlines() if "Extra=" in line), "")


def place(cluster, hint="tp8"):
    return cluster.wait_running(cluster.sbatch(f"-N2 --gpus-per-node=8 --constraint={hint}"))


def test_marked_node_is_avoided_among_equals_and_the_receipt_says_so(cluster):
    marked = cluster.leaf("leaf1")[0]
    set_extra(cluster, marked, mark())
    try:
        first = place(cluster)
        assert set(cluster.leaf_groups_of(first)) == {"leaf2"}
        assert " soft=0/1" in cluster.admin_comment(first)
        status = cluster.command(conf.find_built("yardmaster"), "fabric", "status")
        assert "mlx5_3 flapped" in status
        second = place(cluster)  # nothing else is free: it does not wait
        assert " soft=1/0" in cluster.admin_comment(second)
    finally:
        set_extra(cluster, marked, "")


def test_foreign_extra_counts_for_nothing_and_stays(cluster):
    foreign = cluster.leaf("leaf1")[0]
    set_extra(cluster, foreign, "rack 12")
    try:
        job = place(cluster)
        assert set(cluster.leaf_groups_of(job)) == {"leaf1"}
        assert "Extra=rack 12" in extra_line(cluster, foreign)
    finally:
        set_extra(cluster, foreign, "")


def test_prolog_marks_a_node_whose_link_flapped(cluster):
    node = cluster.leaf("leaf2")[1]

    def check():
        cluster.wait_ended(cluster.sbatch(f"-N1 -w {node} --gpus-per-node=8", script="true"))
        return "mlx5_3 flapped" in extra_line(cluster, node)

    assert not check()  # takes the baseline
    cluster.sim(node, "set-counter", "mlx5_3", "counters/link_downed", 1)
    try:
        # On a busy machine slurmctld may not answer in time; the next check asks again.
        assert any(check() for _ in range(4))
        assert "SIMULATED" in extra_line(cluster, node)
        assert node not in cluster.drained()
    finally:
        set_extra(cluster, node, "")
