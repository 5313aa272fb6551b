#include "healthcheck/gpu/gpu_judge.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_alarms.hpp"

namespace yardmaster {
namespace {

Finding unknown(const std::string& object, const char* sign, std::string detail) {
    return {"gpu", object, sign, Verdict::kUnknown, false, "", std::move(detail)};
}

/// Every degraded finding here reads a state that the driver itself reports, hence certain.
Finding degraded(const std::string& object,
                 const char* sign,
                 std::string short_text,
                 std::string detail) {
    return {
        "gpu", object, sign, Verdict::kDegraded, true, std::move(short_text), std::move(detail)};
}

bool lost(int code) {
    return code == kNvmlGpuIsLost;
}

/// How the devices that NVML lists answered.
struct Census {
    unsigned readable = 0;  ///< with a minor
    unsigned lost = 0;      ///< "GPU is lost"
    unsigned unmapped = 0;  ///< there, but which minor they have is not known
    unsigned highest_minor = 0;
};

Census take_census(const std::vector<GpuReading>& gpus) {
    Census census;
    for (const GpuReading& gpu : gpus) {
        if (gpu.handle_code == kNvmlSuccess && gpu.minor.ok()) {
            ++census.readable;
            census.highest_minor = std::max(census.highest_minor, unsigned(gpu.minor.value));
        } else if (lost(gpu.handle_code) || lost(gpu.minor.code)) {
            ++census.lost;
        } else {
            ++census.unmapped;
        }
    }
    return census;
}

std::string visible(const Census& census, const CheckScope& scope) {
    return std::to_string(census.readable) +
           (scope.node_gpus ? " of " + std::to_string(*scope.node_gpus) : "") + " GPUs visible";
}

/// A GPU of the job that no readable device stands for. It is gone if one is reported lost, if the
/// node has fewer than it should, or if its minor is a gap in the driver's numbering (minors are
/// given without gaps when the driver probes). Otherwise our numbering may be at fault.
Finding judge_unmapped(unsigned minor, const CheckScope& scope, const Census& census) {
    const std::string detail = visible(census, scope);
    if (census.unmapped > 0) {
        return unknown(gpu_name(minor),
                       "gpu.mapping",
                       std::to_string(census.unmapped) + " GPUs do not tell their minor number");
    }
    if (census.lost > 0) {
        return degraded(
            gpu_name(minor), "gpu.presence", "lost", "the driver says \"GPU is lost\"; " + detail);
    }
    const bool too_few = scope.node_gpus && census.readable < *scope.node_gpus;
    if (too_few || (census.readable > 0 && minor < census.highest_minor)) {
        return degraded(gpu_name(minor), "gpu.presence", "missing", detail);
    }
    return unknown(gpu_name(minor),
                   "gpu.mapping",
                   "no GPU has device minor " + std::to_string(minor) + "; " + detail);
}

/// Whether one reading of `gpu` failed in a way that condemns the GPU.
void judge_code(const std::string& name, int code, std::vector<Finding>& findings) {
    if (code == kNvmlGpuIsLost) {
        findings.push_back(
            degraded(name, "gpu.presence", "lost", "the driver says \"GPU is lost\""));
    } else if (code == kNvmlResetRequired) {
        findings.push_back(
            degraded(name, "gpu.reset", "needs reset", "the driver says the GPU needs a reset"));
    }
}

/// An error that says nothing about the GPU itself: worth a note, except that models without the
/// feature, and libraries without the function, are normal.
void note_error(const std::string& name,
                const char* sign,
                const char* what,
                const NvmlNumber& number,
                std::vector<Finding>& findings) {
    const int code = number.code;
    if (code != kNvmlSuccess && code != kNvmlNotSupported && code != kNvmlFunctionNotFound &&
        code != kNvmlNotRead && code != kNvmlGpuIsLost && code != kNvmlResetRequired) {
        findings.push_back(
            unknown(name, sign, std::string(what) + ": NVML error " + std::to_string(code)));
    }
}

// Uncorrected volatile errors and pending or failed row remaps: NVIDIA's GPU memory error
// management guide ("Row Remapping") asks for a reset, or a replacement, before further work.
void judge_memory(const std::string& name, const GpuReading& gpu, std::vector<Finding>& findings) {
    if (gpu.ecc_uncorrected.ok() && gpu.ecc_uncorrected.value > 0) {
        const std::string count = std::to_string(gpu.ecc_uncorrected.value);
        findings.push_back(degraded(name,
                                    "gpu.ecc",
                                    "ECC " + count,
                                    count + " uncorrected ECC errors since the driver was loaded"));
    }
    if (gpu.remap_failed.ok() && gpu.remap_failed.value != 0) {
        findings.push_back(
            degraded(name, "gpu.remap", "remap fail", "a memory row could not be remapped"));
    } else if (gpu.remap_pending.ok() && gpu.remap_pending.value != 0) {
        findings.push_back(
            degraded(name, "gpu.remap", "remap wait", "a row remap waits for the GPU to be reset"));
    }
    note_error(name, "gpu.ecc", "ECC counts", gpu.ecc_uncorrected, findings);
    note_error(name, "gpu.remap", "remapped rows", gpu.remap_pending, findings);
}

void judge_gpu(unsigned minor, const GpuReading& gpu, std::vector<Finding>& findings) {
    const std::string name = gpu_name(minor);
    for (int code : {gpu.mig_mode.code,
                     gpu.ecc_uncorrected.code,
                     gpu.remap_pending.code,
                     gpu.recovery_action.code,
                     gpu.clock_reasons.code}) {
        if (code == kNvmlGpuIsLost || code == kNvmlResetRequired) {
            judge_code(name, code, findings);
            return;
        }
    }
    judge_recovery_action(name, gpu, findings);
    judge_memory(name, gpu, findings);
    judge_clock_reasons(name, gpu, findings);
    if (!means_absent(gpu.recovery_action.code)) {  // older libraries do not know the field
        note_error(name, "gpu.recovery", "recovery action", gpu.recovery_action, findings);
    }
    note_error(name, "gpu.throttle", "clock reasons", gpu.clock_reasons, findings);
}

}  // namespace

std::string gpu_name(unsigned minor) {
    return "GPU" + std::to_string(minor);
}

const GpuReading* find_gpu(const std::vector<GpuReading>& gpus, unsigned minor) {
    const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const GpuReading& gpu) {
        return gpu.handle_code == kNvmlSuccess && gpu.minor.ok() && gpu.minor.value == minor;
    });
    return found == gpus.end() ? nullptr : &*found;
}

bool all_gpus_read(const NvmlReading& nvml, const std::vector<GpuReading>& gpus) {
    return nvml.device_count.ok() && gpus.size() >= nvml.device_count.value;
}

std::vector<Finding> judge_gpus(const CheckScope& scope,
                                const NvmlReading& nvml,
                                const std::vector<GpuReading>& gpus) {
    std::vector<Finding> findings;
    if (scope.mig) {
        return {unknown("", "gpu.mig", "the job runs on MIG slices: GPUs not checked")};
    }
    if (scope.gpus.empty()) {
        return findings;
    }
    if (!nvml.loaded) {
        return {unknown("", "gpu.nvml", nvml.error.empty() ? "no answer from NVML" : nvml.error)};
    }
    const Census census = take_census(gpus);
    for (unsigned minor : scope.gpus) {
        if (const GpuReading* gpu = find_gpu(gpus, minor)) {
            judge_gpu(minor, *gpu, findings);
        } else if (!all_gpus_read(nvml, gpus)) {
            findings.push_back(unknown(gpu_name(minor), "gpu.outstanding", "not read in time"));
        } else {
            findings.push_back(judge_unmapped(minor, scope, census));
        }
    }
    return findings;
}

}  // namespace yardmaster
