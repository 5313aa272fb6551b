"""The shipped RDMA probe on real verbs: the kernel's Soft-RoCE in a virtual machine. One boot runs all cases
(cases.sh); emulation is slow and noisy, so rates are compared with each other."""

import json
import re

import guest
import pytest


@pytest.fixture(scope="module")
def cases():
    """What each case printed: {name: (exit status, [line])}."""
    try:
        text = guest.console()
    except guest.Missing as missing:
        pytest.skip(str(missing))
    assert "@broken" not in text and "@done" in text, text[-3000:]
    found = re.findall(r"@case (\w+)\n(.*?)@end (\d+)\n", text, re.DOTALL)
    return {name: (int(status), lines.splitlines()) for name, lines, status in found}


def results(cases, name, status=0):
    found, lines = cases[name]
    assert found == status, lines
    return [line["rdma_pair"] for line in map(json.loads, lines) if "rdma_pair" in line]


def best(pair):
    return max(pair["gbps"])


def test_every_port_and_gid_is_listed(cases):
    devices = [json.loads(line)["rdma_device"] for line in cases["list"][1] if "rdma_device" in line]
    assert [device["device"] for device in devices] == ["mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"]
    assert [gid["scope"] for gid in devices[0]["gids"]] == ["link-local", "routable"]


def test_healthy_ring_is_measured_in_both_directions(cases):
    pairs = results(cases, "healthy")
    assert [(pair["from"]["port"], pair["to"]["port"]) for pair in pairs] == [
        ("mlx5_0", "mlx5_1"), ("mlx5_1", "mlx5_0")]
    for pair in pairs:
        assert pair["outcome"] == "measured" and len(pair["gbps"]) == 3 and pair["latency_us"] > 0
        assert pair["from"]["gid_scope"] == "routable" and pair["from"]["memory"] == "host"


def test_single_port_is_a_self_loop_and_says_so(cases):
    assert [(pair["outcome"], pair["self_loop"]) for pair in results(cases, "self_loop")] == [("measured", True)]


def edges(cases, name):
    """What the nodes' first round came to: {(from port, to port): reading}."""
    found, lines = cases[name]
    assert found == 0, lines
    said = [json.loads(line) for line in lines]
    assert all(line["cross_peer"]["came"] for line in said if "cross_peer" in line), lines
    ring = [line["cross_edge"] for line in said if line.get("cross_edge", {}).get("purpose") == "ring"]
    return {(edge["from"]["port"], edge["to"]["port"]): edge["measured"] for edge in ring}


def test_rails_of_two_nodes_are_measured_in_both_directions(cases):
    measured = edges(cases, "met")
    assert set(measured) == {("mlx5_0", "mlx5_1"), ("mlx5_1", "mlx5_0"), ("mlx5_2", "mlx5_3"), ("mlx5_3", "mlx5_2")}
    for reading in measured.values():
        assert reading["outcome"] == "measured" and len(reading["gbps"]) == 3 and reading["latency_us"] > 0, reading


def test_limited_rate_is_seen(cases):
    healthy, slow = results(cases, "healthy"), results(cases, "slow")
    assert [pair["outcome"] for pair in slow] == ["measured"] * 2
    for before, after in zip(healthy, slow):
        assert best(before) > 5 * best(after)


def test_lossy_link_is_slow_or_broken(cases):
    pair, = results(cases, "lossy")
    assert pair["outcome"] in ("broken", "unreachable", "too-slow") or \
        best(results(cases, "healthy")[0]) > 5 * best(pair)


def test_link_that_loses_everything_is_unreachable(cases):
    pair, = results(cases, "cut")
    assert (pair["outcome"], pair["wc_status"]) == ("unreachable", 12)


def test_link_pulled_during_the_transfer_is_broken(cases):
    pair, = results(cases, "pulled")
    # Where all writes were acknowledged at that moment, Linux 6.1's Soft-RoCE tries to send the next one for ever
    # (it seems to take a link that is down for a full queue) and no completion comes: then wc_status is 0.
    assert pair["outcome"] == "broken" and (pair["wc_status"] != 0 or "not acknowledged" in pair["error"]), pair
    assert int(re.match(r"after (\d+) good writes", pair["error"]).group(1)) > 0


def test_link_that_is_down_is_told_apart(cases):
    assert [(pair["outcome"], pair["failed_port"]) for pair in results(cases, "down")][0] == ("port-down", "mlx5_0")


def test_lost_address_is_named(cases):
    for pair in results(cases, "no_address"):
        assert (pair["outcome"], pair["failed_port"]) == ("no-gid", "mlx5_0")
