// The rows of the fault table.
#include "tests/faults/fault_table.hpp"

namespace yardmaster::faults {
namespace {

constexpr Verdict kHealthy = Verdict::kHealthy;
constexpr Verdict kUnknown = Verdict::kUnknown;
constexpr Verdict kDegraded = Verdict::kDegraded;
using enum Where;

constexpr Looking kRdma = Looking::kRdma;
constexpr Looking kNccl = Looking::kNccl;

// Certain faults drain. One sign that is not certain is Unknown: the job starts. What means nothing
// is healthy.
const std::vector<Fault> kPortFaults = {
    {"set-rate mlx5_1 100", kEverywhere, kDegraded, "ym mlx5_1 100/{rate}Gb"},
    {"port-down mlx5_1", kEverywhere, kDegraded, "ym mlx5_1 down"},
    {"port-init mlx5_1", kEverywhere, kDegraded, "ym mlx5_1 init"},
    {"nic-gone mlx5_1", kEverywhere, kDegraded, "ym mlx5_1 missing"},
    {"set-counter mlx5_1 counters/symbol_error N/A_(no_PMA)",
     kEverywhere,
     kUnknown,
     "port.counters"},
    {"set-counter mlx5_1 counters/link_downed 255", kEverywhere, kUnknown, "mlx5_1 flapped"},
    {"grow-counter mlx5_1 counters/link_downed 1", kEverywhere, kUnknown, "mlx5_1 flapped"},
    {"grow-counter mlx5_1 counters/symbol_error 60000", kEverywhere, kUnknown, "mlx5_1 errors"},
    {"grow-counter mlx5_1 counters/port_xmit_wait 900000"},  // congestion
    {"grow-counter mlx5_bond_0 counters/link_downed 1"},     // no rail
    {"grow-counter mlx5_1 counters/link_downed 5; reboot"},  // of another boot
    {"grow-counter mlx5_1 counters/link_downed 1; pcie-max mlx5_1 8",
     kEverywhere,
     kDegraded,  // two signs
     "ym ~x5_1 PCIe 8/{gts}GT"},
    {"gids-empty mlx5_1", kEverywhere, kDegraded, "ym mlx5_1 no GID"},
    {"gids-local mlx5_1", kEthernet, kUnknown, "mlx5_1 no v2 GID"},
    {"netdev-down mlx5_1", kEthernet, kUnknown, "mlx5_1 if down"},
    {"gids-local mlx5_1; netdev-down mlx5_1", kEthernet, kDegraded, "ym mlx5_1 no v2 GID"},
    {"swap-nics mlx5_1 mlx5_2", kNicBeside, kUnknown, "wiring.nearest"},
    {"reboot"},
};

const std::vector<Fault> kPcieFaults = {
    {"pcie-width mlx5_1 8", kEverywhere, kDegraded, "ym mlx5_1 PCIe x8/16"},
    {"pcie-width GPU1 8", kEverywhere, kDegraded, "ym GPU1 PCIe x8/16"},
    {"pcie-max GPU1 8", kEverywhere, kUnknown, "GPU1 PCIe 8/{gts}GT"},
    {"pcie-replays 1 80"},  // in less than ten minutes
    {"pcie-replays 1 81", kEverywhere, kUnknown, "GPU1 PCIe errors"},
    {"pcie-replays 1 900; driver 560.35.03"},  // of another driver's time
    {"pcie-replays 1 900; reboot"},
    {"pcie-replays 1 900; aer GPU1 correctable 100000",
     kEverywhere,
     kUnknown,  // one event in two counters
     "GPU1 PCIe errors"},
    {"aer GPU1 correctable 1"},
    {"aer GPU1 correctable 100000", kEverywhere, kUnknown, "GPU1 PCIe errors"},
    {"aer GPU1 fatal 1", kEverywhere, kUnknown, "GPU1 PCIe errors"},
    {"aer mlx5_1 nonfatal 1", kEverywhere, kUnknown, "~x5_1 PCIe errors"},
};

const std::vector<Fault> kGpuFaults = {
    {"gpu-lost 1", kEverywhere, kDegraded, "ym GPU1 lost"},
    {"gpu-missing 1", kEverywhere, kDegraded, "ym GPU1 missing"},
    {"remap 1 pending", kEverywhere, kDegraded, "ym GPU1 remap wait"},
    {"remap 1 failed", kEverywhere, kDegraded, "ym GPU1 remap fail"},
    {"ecc 1 2", kEverywhere, kDegraded, "ym GPU1 ECC 2"},
    {"recovery 1 1", kEverywhere, kDegraded, "ym GPU1 needs reset"},
    {"recovery 1 2", kEverywhere, kDegraded, "ym GPU1 needs reboot"},
    {"recovery 1 3", kEverywhere, kDegraded, "ym GPU1 drain P2P"},
    {"recovery 1 4", kEverywhere, kDegraded, "ym GPU1 drain+reset"},
    {"recovery 1 5", kEverywhere, kDegraded, "ym GPU1 recovery 5"},
    {"clocks 1 9"},  // idle, and a slowdown as at any change of the P-state
    {"clocks 1 64", kEverywhere, kDegraded, "ym GPU1 too hot"},
    {"clocks 1 128", kEverywhere, kDegraded, "ym GPU1 power brake"},
    {"mig 1"},
    {"processes 1 2"},  // of another job on the same GPU
    {"nvml-error 18", kEverywhere, kUnknown, "gpu.nvml"},
    {"hang 60", kEverywhere, kUnknown, "gpu.nvml"},
    {"gpu-lost 1; heal"},
};

const std::vector<Fault> kNvlinkFaults = {
    {"nvlink-down 1 2", kNvSwitch, kDegraded, "ym GPU1 NVLink {links-1}/{links}"},
    {"nvlink-down 1 all", kNvSwitch, kDegraded, "ym GPU1 NVLink 0/{links}"},
    {"no-path 1", kNvSwitch, kDegraded, "ym GPU1 no NVL path"},
    {"nvlink-field 1 7 crc 60000"},  // in less than ten minutes
    {"nvlink-field 1 7 crc 60001", kNvlink4, kUnknown, "GPU1 NVL errors"},
    {"nvlink-field 1 7 replay 10; nvlink-field 1 8 recovery 10"},
    {"nvlink-field 1 7 replay 11", kNvlink4, kUnknown, "GPU1 NVL errors"},
    {"nvlink-field 1 7 recovery 11", kNvlink4, kUnknown, "GPU1 NVL errors"},
    {"nvlink-field 1 7 recovery 900; driver 560.35.03"},
    {"nvlink-field 1 7 recovery 900; reboot"},
    {"nvlink-field 1 7 recovery 11; nvlink-field 2 7 recovery 11",
     kNvlink4,
     kUnknown,  // both ends of a link
     "GPU1 NVL errors"},
    {"nvlink-field 1 7 recovery 11; pcie-replays 1 81",
     kNvlink4,
     kDegraded,  // two signs
     "ym GPU1 NVL errors"},
    {"nvlink-field 1 7 receive 10; nvlink-field 1 7 link_recovery 10"},
    {"nvlink-field 1 7 receive 11", kNvlink5, kUnknown, "GPU1 NVL errors"},
    {"nvlink-field 1 7 link_recovery 11", kNvlink5, kUnknown, "GPU1 NVL errors"},
    {"nvlink-field 1 7 link_recovery_failed 1", kNvlink5, kUnknown, "GPU1 NVL flapped"},
    {"nvlink-field 1 7 transmit_discard 900"},
    {"nvlink-field 1 7 link_recovery_successful 900"},  // that is in link_recovery
    {"nvlink-field 1 7 symbol_ber 0x209", kNvlink5, kUnknown, "GPU1 BER 2e-09"},
    {"nvlink-field 1 7 effective_ber 0x106", kNvlink5, kUnknown, "GPU1 BER 1e-06"},
    {"nvlink-field 1 7 symbol_ber 0x209; fabric-health 1 0x1a6", kNvlink5, kDegraded, "ym GPU1 *"},
    {"fabric-state 1 1", kFabric, kDegraded, "ym GPU1 fabric off"},
    {"fabric-state 1 2", kFabric, kUnknown, "nvlink.fabric"},
    {"fabric-status 1 999", kFabric, kDegraded, "ym GPU1 fabric error"},
    {"fabric-health 1 0x1a9", kFabric, kDegraded, "ym GPU1 NVL slow"},
    {"fabric-health 1 0x1a6", kFabric, kUnknown, "GPU1 NVL reroute"},
    {"fabric-health 1 0x19a", kFabric, kDegraded, "ym GPU1 NVL route"},
    {"fabric-health 1 0x16a", kFabric, kUnknown, "GPU1 NVL timeout"},
    {"fabric-health 1 0x4aa", kFabric, kDegraded, "ym GPU1 NVL config"},
    {"fabric-summary 1 2", kFabric, kDegraded, "ym GPU1 NVL unwell"},
    {"fabric-summary 1 3", kFabric, kUnknown, "GPU1 NVL capacity"},
    {"fabric-clique 1 5", kFabric, kDegraded, "ym GPU1 NVL split"},
    {"fabric-cluster 1 none", kRack, kDegraded, "ym GPU1 no cluster"},
    {"fabric-cluster 1 00000001-0000-0000-0000-000000000002",
     kFabric,
     kDegraded,
     "ym GPU1 NVL split"},
    {"fabric-version 0"},  // an older library
};

const std::vector<Fault> kRdmaFaults = {
    {"rdma-noise 15 5", kEverywhere, kHealthy, "", kRdma},
    {"rdma-share mlx5_1 80", kEverywhere, kDegraded, "ym mlx5_1 bw *", kRdma},
    {"processes 1 2; rdma-share mlx5_1 80", kEverywhere, kHealthy, "", kRdma},  // left out
    {"rdma-fault mlx5_1 retry", kEverywhere, kDegraded, "ym mlx5_1 no answer", kRdma},
    {"rdma-fault mlx5_1 broken", kEverywhere, kDegraded, "ym mlx5_1 RDMA WC 12", kRdma},
    {"rdma-fault mlx5_1 bad-data", kEverywhere, kDegraded, "ym mlx5_1 RDMA data", kRdma},
    {"rdma-fault mlx5_1 hang", kEverywhere, kUnknown, "rdma.outstanding", kRdma},
    {"rdma-fault mlx5_1 no-gid", kEthernet, kDegraded, "ym mlx5_1 no GID", kRdma},
    {"rdma-fault mlx5_1 gid-local", kEthernet, kDegraded, "ym mlx5_1 GID local", kRdma},
    // That the rails reached each other before tells a broken fabric from separate ones.
    {"rdma-separate", kEverywhere, kDegraded, "ym mlx5_0 no answer", kRdma},
};

const std::vector<Fault> kNcclFaults = {
    {"nccl-noise 15 5", kEverywhere, kHealthy, "", kNccl},
    {"nccl-init 50", kEverywhere, kHealthy, "", kNccl},
    {"nccl-share 80", kEverywhere, kDegraded, "ym NCCL *", kNccl},
    {"processes 1 2; nccl-share 80", kEverywhere, kUnknown, "nccl.not_run", kNccl},
    {"nccl-fault 802", kEverywhere, kDegraded, "ym fabric manager", kNccl},
    {"nccl-fault nvls", kEverywhere, kDegraded, "ym fabric manager", kNccl},
    {"nccl-fault wrong-sums", kEverywhere, kDegraded, "ym NCCL wrong sums", kNccl},
    {"nccl-fault hang-init", kEverywhere, kUnknown, "nccl.*", kNccl},
    {"nccl-fault no-memory", kEverywhere, kUnknown, "nccl.*", kNccl},
};

std::vector<Fault> make_table() {
    std::vector<Fault> all;
    for (const auto* part :
         {&kPortFaults, &kPcieFaults, &kGpuFaults, &kNvlinkFaults, &kRdmaFaults, &kNcclFaults}) {
        all.insert(all.end(), part->begin(), part->end());
    }
    return all;
}

}  // namespace

const std::vector<Fault>& fault_table() {
    static const std::vector<Fault> table = make_table();
    return table;
}

}  // namespace yardmaster::faults
