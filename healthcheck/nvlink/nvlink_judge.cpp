#include "healthcheck/nvlink/nvlink_judge.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/nvlink/ber_judge.hpp"
#include "healthcheck/nvlink/fabric_judge.hpp"
#include "healthcheck/nvlink/model_table.hpp"
#include "healthcheck/nvlink/peer_judge.hpp"

namespace yardmaster {
namespace {

Finding make(const std::string& gpu, Verdict verdict, std::string short_text, std::string detail) {
    return {"nvlink",
            gpu,
            "nvlink.state",
            verdict,
            verdict == Verdict::kDegraded,
            std::move(short_text),
            std::move(detail)};
}

struct LinkCount {
    unsigned active = 0;
    unsigned failed =
        0;  ///< links that the model has but that answered with an error, or not at all
    std::string inactive;  ///< "7, 11"
    bool any_inactive() const { return !inactive.empty(); }
};

LinkCount count_links(const GpuReading& gpu, unsigned expected) {
    LinkCount count;
    for (unsigned link = 0; link < expected; ++link) {
        if (link >= gpu.nvlinks.size() || !gpu.nvlinks[link].ok()) {
            ++count.failed;
        } else if (gpu.nvlinks[link].value == 1) {
            ++count.active;
        } else {
            count.inactive += (count.any_inactive() ? ", " : "") + std::to_string(link);
        }
    }
    return count;
}

void judge_links(const std::string& name,
                 const GpuReading& gpu,
                 unsigned expected,
                 std::vector<Finding>& findings) {
    const LinkCount count = count_links(gpu, expected);
    const std::string of = std::to_string(count.active) + "/" + std::to_string(expected);
    if (count.any_inactive()) {
        findings.push_back(make(name,
                                Verdict::kDegraded,
                                "NVLink " + of,
                                "NVLinks inactive: " + count.inactive + " (" + gpu.model + " has " +
                                    std::to_string(expected) + ")"));
    } else if (count.failed > 0) {
        findings.push_back(make(name,
                                Verdict::kUnknown,
                                "",
                                std::to_string(count.failed) + " of " + std::to_string(expected) +
                                    " NVLinks do not tell their state"));
    }
}

void judge_gpu(const std::string& name, const GpuReading& gpu, std::vector<Finding>& findings) {
    if (gpu.mig_mode.ok() && gpu.mig_mode.value == 1) {
        // NVIDIA MIG user guide: no GPU-to-GPU traffic over NVLink in MIG mode.
        return;
    }
    const auto model = find_nvlink_model(gpu.model);
    if (!model) {
        findings.push_back(make(name,
                                Verdict::kUnknown,
                                "",
                                "no NVLink count is known for model \"" + gpu.model + "\""));
        return;
    }
    if (!model->by_board) {
        judge_links(name, gpu, model->links, findings);
    }
    judge_fabric(name, gpu, model->fabric, findings);
    judge_error_rates(name, gpu, findings);
}

}  // namespace

std::vector<Finding> judge_nvlinks(const CheckScope& scope, const std::vector<GpuReading>& gpus) {
    std::vector<Finding> findings;
    if (scope.mig) {
        return findings;
    }
    for (unsigned minor : scope.gpus) {
        if (const GpuReading* gpu = find_gpu(gpus, minor)) {
            judge_gpu(gpu_name(minor), *gpu, findings);
        }
    }
    judge_fabric_place(scope, gpus, findings);
    const std::vector<Finding> peers = judge_peers(scope, gpus);
    findings.insert(findings.end(), peers.begin(), peers.end());
    return findings;
}

}  // namespace yardmaster
