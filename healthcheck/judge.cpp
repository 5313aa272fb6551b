#include "healthcheck/judge.hpp"

#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/nccl/nccl_judge.hpp"
#include "healthcheck/nvlink/nvlink_judge.hpp"
#include "healthcheck/port/port_judge.hpp"
#include "healthcheck/rdma/rdma_judge.hpp"

namespace yardmaster {

std::vector<Finding> judge(const CheckScope& scope, const Readings& readings) {
    std::vector<Finding> findings = judge_ports(scope, readings.inventory, readings.ports);
    for (auto& part : {judge_gpus(scope, readings.nvml, readings.gpus),
                       judge_nvlinks(scope, readings.gpus),
                       judge_rdma(readings.rdma),
                       judge_nccl(readings.nccl)}) {
        findings.insert(findings.end(), part.begin(), part.end());
    }
    return findings;
}

}  // namespace yardmaster
