#include "healthcheck/cause_table.hpp"

namespace yardmaster {

const std::vector<CauseText>& cause_table() {
    static const std::vector<CauseText> table = {
        {"port.state",
         "mlx5_3 down",
         "port state `1: DOWN`",
         "look at `phys_state` in the evidence: `Polling` means no signal (reseat or replace the "
         "cable, look at the switch port), `Disabled` means switched off on purpose"},
        {"port.state",
         "mlx5_3 init",
         "port in INIT or ARMED",
         "is a subnet manager running?",
         false},
        {"port.rate",
         "mlx5_3 100/400Gb",
         "the link runs at 100 of the 400 Gb/s that the fabric file promises",
         "the width or speed came down at link training: clean or replace the cable or "
         "transceiver. If it is right as it is, correct the fabric file"},
        {"port.phys",
         "mlx5_3 recovering",
         "physical state LinkErrorRecovery",
         "as for a slow link",
         false},
        {"port.presence",
         "mlx5_3 missing",
         "the device is gone while other rails of the node are there",
         "`lspci`, kernel log; reboot, reseat or replace the NIC"},
        {"gpu.presence",
         "GPU2 missing",
         "the driver does not list the GPU",
         "kernel log for `Xid 79` (\"fallen off the bus\"); power-cycle the node"},
        {"gpu.presence", "GPU2 lost", "NVML says \"GPU is lost\"", "as above"},
        {"gpu.reset",
         "GPU2 needs reset",
         "NVML says the GPU must be reset",
         "`nvidia-smi --gpu-reset -i 2` with the node empty, or reboot"},
        {"gpu.ecc",
         "GPU3 ECC 2",
         "2 uncorrected ECC errors since the driver was loaded",
         "reset the GPU; replace it when they return"},
        {"gpu.remap",
         "GPU3 remap wait",
         "a memory row waits to be remapped",
         "reset the GPU, which carries the remap out"},
        {"gpu.remap", "GPU3 remap fail", "a memory row could not be remapped", "replace the GPU"},
        {"nvlink.state",
         "GPU4 NVLink 17/18",
         "17 of the 18 NVLinks that the model has are active",
         "fabric manager's log; reset the GPUs; then baseboard or GPU. With 0 of 18: is the fabric "
         "manager running?"},
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
         "retries exceeded",
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
    };
    return table;
}

}  // namespace yardmaster
