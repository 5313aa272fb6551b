#include "healthcheck/judge.hpp"

#include "healthcheck/crossnode/cross_judge.hpp"
#include "healthcheck/gpu/gpu_growth.hpp"
#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/gpu/gpu_numbering.hpp"
#include "healthcheck/nccl/nccl_judge.hpp"
#include "healthcheck/nvlink/nvlink_judge.hpp"
#include "healthcheck/pcie/pcie_judge.hpp"
#include "healthcheck/port/growth_judge.hpp"
#include "healthcheck/port/port_judge.hpp"
#include "healthcheck/rdma/rdma_judge.hpp"
#include "healthcheck/second_look.hpp"
#include "healthcheck/wiring/wiring_judge.hpp"

namespace yardmaster {
namespace {

/// The growth of every rail's counters.
std::vector<Finding> judge_rails_growth(const CheckScope& scope, const Readings& readings) {
    std::vector<Finding> findings;
    for (const ExpectedRail& rail : scope.rails) {
        for (const PortReading& port : readings.ports) {
            const bool same = port.device == rail.device && port.port == rail.port;
            if (auto grown =
                    same ? judge_growth(port, rail.gbps, scope.counters, readings) : std::nullopt) {
                findings.push_back(std::move(*grown));
            }
        }
    }
    return findings;
}

/// The growth of every GPU's counters.
std::vector<Finding> judge_gpus_growth(const CheckScope& scope, const Readings& readings) {
    std::vector<Finding> findings;
    for (const unsigned minor : scope.gpus) {
        if (const GpuReading* gpu = find_gpu(readings.gpus, minor)) {
            const auto grown = judge_gpu_growth(gpu_name(minor), *gpu, scope.counters, readings);
            findings.insert(findings.end(), grown.begin(), grown.end());
        }
    }
    return findings;
}

/// Ports and GPUs say themselves what of them was not read; of the other readers it is said here.
std::vector<Finding> judge_unfinished(const Readings& readings) {
    std::vector<Finding> findings;
    for (const std::string& name : readings.unfinished) {
        findings.push_back({"budget",
                            "",
                            "budget.unfinished",
                            Verdict::kUnknown,
                            false,
                            "",
                            name + " did not finish in time"});
    }
    return findings;
}

}  // namespace

std::vector<Finding> judge(const CheckScope& given, const Readings& readings) {
    auto [scope, findings] = number_by_minor(given, readings.nvml, readings.gpus);
    if (rails_by_nearness(scope)) {
        scope.rails = near_rails(scope, readings);
    }
    for (auto& part : {judge_ports(scope, readings.inventory, readings.ports),
                       judge_gpus(scope, readings.nvml, readings.gpus),
                       judge_nvlinks(scope, readings.gpus),
                       judge_pcie(scope, readings),
                       judge_rails_growth(scope, readings),
                       judge_gpus_growth(scope, readings),
                       scope.wiring ? judge_wiring(scope, readings) : std::vector<Finding>(),
                       judge_rdma(readings.rdma),
                       judge_nccl(readings.nccl),
                       judge_cross(readings.crossnode, scope.node),
                       judge_unfinished(readings)}) {
        findings.insert(findings.end(), part.begin(), part.end());
    }
    judge_second_look(scope, readings, findings);
    return findings;
}

}  // namespace yardmaster
