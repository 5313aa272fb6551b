#include "healthcheck/cause_table.hpp"

#include "healthcheck/gpu/gpu_causes.hpp"

namespace yardmaster {
namespace {

/// Ports and PCIe links.
const std::vector<CauseText>& link_causes() {
    static const std::vector<CauseText> table = {
        {"port.state",
         "mlx5_3 down",
         "port state `1: DOWN`",
         "look at `phys_state` in the evidence: `Polling` means no signal (reseat or replace the "
         "cable, look at the switch port), `Disabled` means switched off on purpose"},
        {"port.state",
         "mlx5_3 init",
         "port in INIT or ARMED, at two readings a second apart",
         "is a subnet manager running?"},
        {"port.rate",
         "mlx5_3 100/400Gb",
         "the link runs at 100 of the 400 Gb/s that the fabric file promises",
         "the width or speed came down at link training: clean or replace the cable or "
         "transceiver. If it is right as it is, correct the fabric file"},
        {"port.phys",
         "mlx5_3 recovering",
         "physical state LinkErrorRecovery, at two readings a second apart",
         "as for a slow link"},
        {"port.presence",
         "mlx5_3 missing",
         "the device is gone while other rails of the node are there",
         "`lspci`, kernel log; reboot, reseat or replace the NIC"},
        {"port.growth",
         "mlx5_3 flapped",
         "`link_downed` grew since an earlier check of this boot: the link was lost and came back",
         "as for a slow link; many at once: look at the switch",
         false},
        {"port.growth",
         "mlx5_3 errors",
         "error counters grew faster than `health.counters` allows; the evidence says which",
         "symbol errors and recoveries: as for a slow link. Timeouts and retransmissions alone: "
         "look "
         "for congestion or a bad link elsewhere",
         false},
        {"port.gid",
         "mlx5_3 no GID",
         "the port is active but has no GID",
         "reload the driver; is the port's GUID or address set?"},
        {"port.gid",
         "mlx5_3 no v2 GID",
         "a RoCE port with link-local GIDs only",
         "give its network interface an IP address",
         false},
        {"port.netdev",
         "mlx5_3 if down",
         "a RoCE port whose network interface is down",
         "`ip link` on the node; bring it up",
         false},
        {"pcie.width",
         "GPU2 PCIe x8/16",
         "the PCIe link of a GPU or NIC has fewer lanes than both its ends can do",
         "reseat the card; then card, riser or baseboard"},
        {"pcie.width",
         "~00:20:01.0 x8/16",
         "the same for a link above a PCIe switch; the address is the upper port's (`lspci -s`)",
         "as above, for the switch or its cable"},
        {"pcie.generation",
         "GPU2 PCIe 16/32GT",
         "the link can do fewer GT/s than those of the node's other devices of its kind",
         "firmware setup of the slot (link speed); firmware of the card",
         false},
        {"pcie.errors",
         "GPU2 PCIe errors",
         "the kernel counted uncorrectable PCIe errors since an earlier check, or correctable ones "
         "faster than `health.counters.pcie_ber`; or NVML's PCIe replays grew faster than "
         "`health.counters` allows",
         "kernel log for `AER`; reseat the card",
         false},
    };
    return table;
}

/// What only load shows.
const std::vector<CauseText>& load_causes() {
    static const std::vector<CauseText> table = {
        {"nccl.sums",
         "NCCL wrong sums",
         "an all-reduce over the job's GPUs gave wrong sums",
         "keep jobs off the node; `yardmaster-nccl-probe` over pairs of its GPUs finds the one; "
         "ECC "
         "and NVLink counters, then replace the GPU or the baseboard"},
        {"nccl.slow",
         "NCCL 361/455GB/s",
         "NCCL's all-reduce reaches 361 GB/s (busbw), earlier runs on these GPUs 455, "
         "measured twice",
         "NVLink errors and clocks in the evidence, `nvidia-smi -q -d PERFORMANCE`; is NVLS still "
         "in use (fabric manager)? If it is slower on purpose, remove `nccl.json` in "
         "`health.state_dir`"},
        {"nccl.fabric",
         "fabric manager",
         "CUDA error 802 (\"system not yet initialized\"), or NCCL cannot set NVLS up, met twice",
         "`systemctl status nvidia-fabricmanager` and its log (NVL72: NMX-C's); it must have the "
         "driver's version; reset the GPUs. No cable or link is slow"},
        {"rdma.bandwidth",
         "mlx5_3 bw 338/397",
         "RDMA writes reach 338 of 397 Gb/s, measured twice; the port is up at full rate",
         "both its pairs were slow, so it is this NIC, cable or switch port: look for growing "
         "`symbol_error` or `port_rcv_errors`, clean or replace the cable; `either end` in the "
         "detail: the other end of the pair may be it"},
        {"rdma.unreachable",
         "mlx5_3 no answer",
         "no RDMA write is answered on a pair of rails that answered before, tried twice",
         "switch port, routing or subnet manager; RoCE: the address and the neighbour table"},
        {"rdma.completion",
         "mlx5_3 RDMA WC 12",
         "writes began well, then one failed with this status of `enum ibv_wc_status`, twice; 12: "
         "retries exceeded; 0: no answer came any more",
         "a link that comes and goes: cable, transceiver, switch port; kernel log for the driver"},
        {"rdma.data",
         "mlx5_3 RDMA data",
         "other data arrived than were sent, twice",
         "memory, PCIe or NIC damage: take the node out and test each; `lspci -vv` for AER errors"},
        {"rdma.gid",
         "mlx5_3 no GID",
         "an active RoCE port without any address, seen twice",
         "bring the network interface's address back (`ip addr`, network configuration)"},
        {"rdma.gid",
         "mlx5_3 GID local",
         "an active RoCE port with only its link-local address where the other rails have routable "
         "ones, seen twice",
         "as above"},
        {"crossnode.bandwidth",
         "mlx5_3 far 53%",
         "between nodes the port carries 210 Gb/s, other ports of the job's nodes 395: measured "
         "twice, "
         "and with a third node of the leaf group too",
         "this NIC, cable or leaf port: `yardmaster evidence` names the nodes it was measured "
         "with; "
         "look for growing error counters, clean or replace the cable"},
        {"crossnode.unreachable",
         "mlx5_3 far lost",
         "no RDMA write from or to other nodes is answered, tried twice, and with a third node "
         "too, "
         "while those reach each other",
         "cable, leaf port, its VLAN or partition key, routing or subnet manager; RoCE: address "
         "and "
         "neighbour table"},
        {"crossnode.completion",
         "mlx5_3 far WC 12",
         "writes between nodes began well, then one failed with this status of `enum "
         "ibv_wc_status`; "
         "twice, and with a third node too",
         "a link that comes and goes: cable, transceiver, leaf port; 12: retries exceeded"},
        {"crossnode.data",
         "mlx5_3 far data",
         "other data arrived than were sent between nodes; twice, and with a third node too",
         "memory, PCIe or NIC damage: take the node out and test each; `lspci -vv` for AER errors"},
        {"crossnode.gid",
         "mlx5_3 far no GID",
         "an active RoCE port without an address that other nodes reach",
         "bring the network interface's address back (`ip addr`, network configuration)"},
    };
    return table;
}

}  // namespace

const std::vector<CauseText>& cause_table() {
    static const std::vector<CauseText> table = [] {
        std::vector<CauseText> all;
        for (const auto* part : {&link_causes(), &gpu_causes(), &load_causes()}) {
            all.insert(all.end(), part->begin(), part->end());
        }
        return all;
    }();
    return table;
}

}  // namespace yardmaster
