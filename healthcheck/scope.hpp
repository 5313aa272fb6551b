// What is to be checked, and what a healthy node would show: the input that comes from Slurm's
// environment and from the fabric file.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "healthcheck/counter_limits.hpp"
#include "healthcheck/crossnode/cross_policy.hpp"
#include "healthcheck/nccl/nccl_policy.hpp"
#include "healthcheck/rdma/rdma_policy.hpp"

namespace yardmaster {

/// A port that traffic of the job's GPUs leaves through.
struct ExpectedRail {
    std::string device;  ///< RDMA device name below class/infiniband, e.g. "mlx5_3"
    unsigned port = 1;   ///< port number on that device, from 1
    double gbps = 0;     ///< line rate in Gb/s that the fabric file promises; 0: not known
    std::vector<unsigned> gpus{};  ///< GPUs of the job that it serves, numbered as the scope's
    /// Equal numbers of two nodes are meant to meet: the first of the fabric file's GPUs.
    unsigned rail = 0;
};

/// What the numbers of a scope's GPUs are.
enum class GpuNumbering {
    kMinor,        ///< device minors, the N of /dev/nvidiaN
    kNvml,         ///< NVML indices of the node as it ought to be
    kMinorOrNvml,  ///< one of both; it can be told only where they agree
    kUnknown,      ///< places in an order that is not known
};

/// "minor", "nvml", "minor-or-nvml", "unknown".
std::string_view to_string(GpuNumbering numbering);
/// kMalformed for any other word.
Result<GpuNumbering> parse_gpu_numbering(std::string_view word);

/// Exactly one job's GPUs and rails on one node. Spare, storage and management ports and other
/// jobs' GPUs are no part of it: they neither hide nor cause a finding.
struct CheckScope {
    std::string node;            ///< Slurm's NodeName
    std::uint32_t job = 0;       ///< job id; 0: a check asked for by hand
    std::vector<unsigned> gpus;  ///< GPUs of the job, ascending, in numbers of `gpu_numbering`
    GpuNumbering gpu_numbering = GpuNumbering::kMinor;
    std::string gpu_numbering_why{};  ///< why it is not known; "" when it is
    /// The job runs on MIG slices: its gres indices name slices, so no GPU can be judged by them.
    bool mig = false;
    std::optional<unsigned> node_gpus;  ///< GPUs the node ought to have; none: not known
    std::vector<ExpectedRail> rails;    ///< one per rail of `gpus`, no device twice
    /// Devices of all rails of the node, the job's included: tells a rail that vanished from a
    /// fabric file that uses other names than this node does.
    std::vector<std::string> node_rails;
    std::string leaf{};         ///< the fabric file's leaf group of the node; "": under no switch
    CounterLimits counters;     ///< how fast error counters may grow
    bool wiring = true;         ///< whether GPU and NIC ought to be nearest neighbours
    std::string rails_unknown;  ///< why `rails` could not be had; "" when it is complete
};

/// Whether the rails of the job are unknown, so that the NICs nearest to its GPUs stand for them.
inline bool rails_by_nearness(const CheckScope& scope) {
    return scope.rails.empty() && !scope.rails_unknown.empty() && !scope.mig && !scope.gpus.empty();
}

/// Where readings are taken from.
struct CheckSources {
    std::string sysfs_root = "/sys";
    std::string nvml_library = "libnvidia-ml.so.1";       ///< a name or path for dlopen
    std::string state_dir = "/var/lib/yardmaster/state";  ///< what is kept between runs
    /// How long a pass of an active check stands for the next ones while no counter moves; 0:
    /// never.
    std::chrono::seconds proven_for{3600};
    RdmaPolicy rdma{};
    NcclPolicy nccl{};
    CrossPolicy crossnode{};
    JobNodes job_nodes{};
};

}  // namespace yardmaster
