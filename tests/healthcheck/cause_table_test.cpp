// The table that people repair by, held to what the judges really say.
#include "healthcheck/cause_table.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <set>

#include "healthcheck/judge.hpp"
#include "healthcheck/rdma/payload_rate.hpp"
#include "healthcheck/reason.hpp"
#include "tests/healthcheck/crossnode_case.hpp"
#include "tests/healthcheck/nccl_case.hpp"

namespace yardmaster {
namespace {

NvmlNumber number(std::uint64_t value) {
    return {kNvmlSuccess, value};
}

std::string pci_of(unsigned minor) {
    return "000" + std::to_string(minor) + ":24:00.0";
}

/// A healthy node whose job has one GPU and one rail; each fault spoils it in one way.
struct Node {
    Node() {
        scope.rails = {{"mlx5_3", 1, 400}};
        scope.node_rails = {"mlx5_0", "mlx5_3"};
        scope.gpus = {1, 2};
        scope.node_gpus = 4;
        inventory = {true, {"mlx5_0", "mlx5_3"}, ""};
        port.device = "mlx5_3";
        port.present = true;
        port.state = "4: ACTIVE";
        port.phys_state = "5: LinkUp";
        port.rate = "400 Gb/sec (4X NDR)";
        port.counters["counters/link_downed"] = {0, ""};
        nvml.loaded = true;
        nvml.device_count = number(4);
        for (unsigned i = 0; i < 4; ++i) {
            GpuReading gpu;
            gpu.index = i;
            gpu.handle_code = kNvmlSuccess;
            gpu.minor = number(i);
            gpu.model = "NVIDIA H100 80GB HBM3";
            gpu.mig_mode = gpu.ecc_uncorrected = gpu.remap_pending = gpu.remap_failed = number(0);
            gpu.nvlinks.assign(18, number(1));
            gpu.pci = pci_of(i);
            gpu.nvlink.switch_links = number(18);
            gpu.nvlink.fabric = {
                0, 3, kFabricCompleted, 0, 2, "00000001-0000-0000-0000-000000000001", 0x1aa, 1};
            gpu.nvlink.fields["symbol_ber"].assign(18, number(0xfff));
            for (unsigned other = 0; other < 4; ++other) {
                gpu.nvlink.peers.push_back({other, number(0)});
            }
            gpus.push_back(gpu);
            around.pci.push_back({pci_of(i),
                                  "",
                                  "0x10de:0x2330",
                                  {{pci_of(i), 16, 16, 32, 32},
                                   {"0000:22:01.0", 16, 16, 32, 32},
                                   {"0000:21:00.0", 16, 16, 32, 32},
                                   {"0000:20:01.0", 16, 16, 32, 32}},
                                  {{"nonfatal", 0}}});
        }
        around.boot_id = around.baseline.boot_id = "boot";
        around.baseline.objects["mlx5_3"].counters = {{"counters/link_downed", 0},
                                                      {"counters/symbol_error", 0}};
        around.baseline.objects[pci_of(2)].counters = {{"nonfatal", 0}};
        gpus[2].uuid = "GPU-2";
        gpus[2].nvlink.fields["recovery"].assign(18, number(0));
        gpus[2].nvlink.fields["link_recovery_failed"].assign(18, number(0));
        around.baseline.objects["GPU-2"].counters = {{"recovery 7", 0},
                                                     {"link_recovery_failed 7", 0}};
        port.link_layer = "Ethernet";
        port.operstate = "up";
        port.gids = {{{0, "fe80:0:0:0:0:0:0:1", "RoCE v2"}, {3, "fd00:0:0:0:0:0:0:1", "RoCE v2"}}};
    }

    std::vector<Finding> judge() const {
        Readings readings = around;
        readings.inventory = inventory;
        readings.ports = {port};
        readings.nvml = nvml;
        readings.gpus = gpus;
        readings.second_look = {{port}, gpus};  // what may pass does not
        readings.rdma = rdma;
        readings.nccl = nccl;
        readings.crossnode = crossnode;
        return yardmaster::judge(scope, readings);
    }

    CheckScope scope;
    PortInventory inventory;
    PortReading port;
    NvmlReading nvml;
    std::vector<GpuReading> gpus;
    RdmaReading rdma;
    NcclReading nccl = testing::nccl_reading();
    CrossReading crossnode;
    Readings around;  ///< PCIe and baseline
};

/// The job's rail in a ring with mlx5_0 and mlx5_5, measured twice, with a past; `spoil` is done to
/// both its pairs each time.
void spoil_rdma(Node& node, const std::function<void(RdmaPairReading&)>& spoil) {
    node.rdma.asked = node.rdma.ended = true;
    node.rdma.max_loss = 0.08;
    node.rdma.min_share = 0.9;
    const std::vector<RdmaPair> ring = ring_of({{"mlx5_0", 1}, {"mlx5_3", 1}, {"mlx5_5", 1}});
    for (const unsigned attempt : {1U, 2U}) {
        for (const RdmaPair& ports : ring) {
            RdmaPairReading pair;
            pair.from.port = ports.from;
            pair.to.port = ports.to;
            pair.attempt = attempt;
            pair.outcome = RdmaOutcome::kMeasured;
            pair.gbps = {397};
            pair.from.gid_scope = pair.to.gid_scope = "routable";
            node.rdma.baseline.push_back({pair_name(ports), conditions_of(pair), {397, 397, 397}});
            if (ports.from.device == "mlx5_3" || ports.to.device == "mlx5_3") {
                spoil(pair);
            }
            node.rdma.pairs.push_back(pair);
        }
    }
}

std::function<void(Node&)> rdma_fault(const std::function<void(RdmaPairReading&)>& spoil) {
    return [spoil](Node& node) { spoil_rdma(node, spoil); };
}

std::function<void(Node&)> gid_fault(const std::string& scope) {
    return rdma_fault([scope](RdmaPairReading& pair) {
        pair.outcome = RdmaOutcome::kNoGid;
        pair.failed_port = "mlx5_3";
        (pair.from.port.device == "mlx5_3" ? pair.from : pair.to).gid_scope = scope;
    });
}

/// The job's rail on node n1 of four, spoilt in what it sends and receives.
std::function<void(Node&)> cross_fault(RdmaOutcome outcome, double gbps = 0) {
    return [=](Node& node) {
        node.scope.node = "n1";
        node.crossnode =
            cross_meeting(cross_ports(4, 1, 4), [=](const CrossPort& from, const CrossPort& to) {
                const bool bad = from.node == "n1" || to.node == "n1";
                auto reading = cross_measured(bad ? gbps : kGoodGbps);
                if (bad) {
                    reading.outcome = outcome;
                    reading.wc_status = 12;
                }
                return reading;
            });
    };
}

const std::vector<std::function<void(Node&)>>& faults() {
    static const std::vector<std::function<void(Node&)>> all = {
        [](Node& node) { node.port.state = "1: DOWN"; },
        [](Node& node) { node.port.state = "2: INIT"; },
        [](Node& node) { node.port.rate = "100 Gb/sec (4X EDR)"; },
        [](Node& node) { node.port.phys_state = "6: LinkErrorRecovery"; },
        [](Node& node) {
            node.port.present = false;
            node.inventory.devices = {"mlx5_0"};
        },
        [](Node& node) {
            node.port.counters["counters/link_downed"] = {1, ""};
        },
        [](Node& node) {
            node.port.counters["counters/symbol_error"] = {65000, ""};
        },
        [](Node& node) { node.port.gids->clear(); },
        [](Node& node) { node.port.gids->pop_back(); },
        [](Node& node) { node.port.operstate = "down"; },
        [](Node& node) { node.around.pci[2].path[0].current_width = 8; },
        [](Node& node) { node.around.pci[2].path[2].current_width = 8; },
        [](Node& node) { node.around.pci[2].path[0].max_gts = 16; },
        [](Node& node) { node.around.pci[2].errors["nonfatal"] = 1; },
        [](Node& node) {
            node.gpus.erase(node.gpus.begin() + 2);
            node.nvml.device_count = number(3);
        },
        [](Node& node) { node.gpus[2].handle_code = kNvmlGpuIsLost; },
        [](Node& node) { node.gpus[2].ecc_uncorrected.code = kNvmlResetRequired; },
        [](Node& node) { node.gpus[2].ecc_uncorrected = number(2); },
        [](Node& node) { node.gpus[2].remap_pending = number(1); },
        [](Node& node) { node.gpus[2].remap_failed = number(1); },
        [](Node& node) { node.gpus[2].recovery_action = number(2); },
        [](Node& node) { node.gpus[2].recovery_action = number(3); },
        [](Node& node) { node.gpus[2].recovery_action = number(4); },
        [](Node& node) { node.gpus[2].recovery_action = number(5); },
        [](Node& node) { node.gpus[2].clock_reasons = number(0x40); },
        [](Node& node) { node.gpus[2].clock_reasons = number(0x80); },
        [](Node& node) { node.gpus[2].nvlinks[5] = number(0); },
        [](Node& node) {
            for (PeerReading& peer : node.gpus[2].nvlink.peers) {
                peer.status = number(5);
            }
        },
        [](Node& node) { node.gpus[2].nvlink.fields["symbol_ber"][7] = number(0x209); },
        [](Node& node) { node.gpus[2].nvlink.fields["recovery"][7] = number(900); },
        [](Node& node) { node.gpus[2].nvlink.fields["link_recovery_failed"][7] = number(1); },
        [](Node& node) { node.gpus[2].nvlink.fabric.status = kNvmlUnknown; },
        [](Node& node) { node.gpus[2].nvlink.fabric.state = kFabricNotStarted; },
        [](Node& node) {
            for (GpuReading& gpu : node.gpus) {
                gpu.model = "NVIDIA GB200";
                gpu.nvlink.fabric.cluster_uuid = "00000000-0000-0000-0000-000000000000";
            }
        },
        [](Node& node) { node.gpus[2].nvlink.fabric.clique = 5; },
        [](Node& node) { node.gpus[2].nvlink.fabric.health = 0x1a9; },
        [](Node& node) { node.gpus[2].nvlink.fabric.health = 0x1a6; },
        [](Node& node) { node.gpus[2].nvlink.fabric.health = 0x19a; },
        [](Node& node) { node.gpus[2].nvlink.fabric.health = 0x16a; },
        [](Node& node) { node.gpus[2].nvlink.fabric.health = 0x2aa; },
        [](Node& node) { node.gpus[2].nvlink.fabric.health_summary = 2; },
        [](Node& node) { node.gpus[2].nvlink.fabric.health_summary = 3; },
        rdma_fault([](RdmaPairReading& pair) { pair.gbps = {338}; }),
        rdma_fault([](RdmaPairReading& pair) { pair.outcome = RdmaOutcome::kUnreachable; }),
        rdma_fault([](RdmaPairReading& pair) {
            pair.outcome = RdmaOutcome::kBroken;
            pair.wc_status = 12;
        }),
        rdma_fault([](RdmaPairReading& pair) { pair.outcome = RdmaOutcome::kBadData; }),
        gid_fault("none"),
        gid_fault("link-local"),
        cross_fault(RdmaOutcome::kMeasured, kGoodGbps * 0.53),
        cross_fault(RdmaOutcome::kUnreachable),
        cross_fault(RdmaOutcome::kBroken),
        cross_fault(RdmaOutcome::kBadData),
        cross_fault(RdmaOutcome::kNoGid),
        [](Node& node) { node.nccl.attempts.back().sums = NcclSums::kWrong; },
        [](Node& node) {
            testing::add_baseline(node.nccl, testing::kNcclMiB << 10, 455, 3);
            testing::add_pass(node.nccl, testing::kNcclMiB << 10, 1, 361);
            testing::add_pass(node.nccl, testing::kNcclMiB << 10, 2, 360);
        },
        [](Node& node) {
            node.nccl.attempts.back().fault = NcclFault::kFabricManager;
            node.nccl.attempts.push_back(node.nccl.attempts.back());
        },
    };
    return all;
}

/// "mlx5_3 100/400Gb" -> "mlx#_# #/#Gb": numbers differ from case to case.
std::string shape(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!digit) {
            result += c;
        } else if (!result.ends_with('#')) {
            result += '#';
        }
    }
    return result;
}

const CauseText* entry_of(const Finding& finding) {
    for (const CauseText& cause : cause_table()) {
        if (cause.sign == finding.sign && shape(cause.example) == shape(cause_of(finding))) {
            return &cause;
        }
    }
    return nullptr;
}

TEST(CauseTable, HasAnEntryForEachFaultAndNoOther) {
    ASSERT_TRUE(Node().judge().empty());
    std::set<const CauseText*> seen;
    for (const auto& spoil : faults()) {
        Node node;
        spoil(node);
        const std::vector<Finding> findings = node.judge();
        const Finding* finding = primary(findings);
        ASSERT_NE(finding, nullptr);
        ASSERT_EQ(finding->verdict, Verdict::kDegraded) << finding->detail;
        const CauseText* entry = entry_of(*finding);
        ASSERT_NE(entry, nullptr) << finding->sign << ": " << cause_of(*finding);
        EXPECT_EQ(entry->certain, is_proven(*finding)) << entry->example;
        seen.insert(entry);
    }
    EXPECT_EQ(seen.size(), cause_table().size());
}

TEST(CauseTable, EveryEntrySaysWhatToDo) {
    for (const CauseText& cause : cause_table()) {
        EXPECT_FALSE(cause.seen.empty()) << cause.example;
        EXPECT_FALSE(cause.remedy.empty()) << cause.example;
        EXPECT_LE(cause.example.size() + 3, kReasonShown) << cause.example;
    }
}

}  // namespace
}  // namespace yardmaster
