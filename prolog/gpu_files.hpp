// Which device the numbers in SLURM_JOB_GPUS stand for.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "healthcheck/scope.hpp"
#include "prolog/slurm_conf.hpp"

namespace yardmaster {

/// Whether a line of gres.conf is about `node`.
bool is_about(const NodeLine& line, const std::string& node);

/// Paths of File= in all lines about GPUs of `node`, in their order.
std::vector<std::string> gpu_files(const std::vector<NodeLine>& lines, const std::string& node);

/// How Slurm numbers a node's GPUs. slurmd gives a prolog the place of each GPU in its own list
/// (gres_common.c: common_node_config_load numbers it, gres_common_epilog_set_env writes it; in
/// 24.11 gres_common_prep_set_env), and neither device files nor UUIDs, MIG slices aside.
struct GpuOrder {
    GpuNumbering numbering = GpuNumbering::kUnknown;
    std::vector<unsigned> minors;  ///< kMinor: [place] device minor
    /// Device files that gres.conf names; 0: none. Detected GPUs that it does not name are left
    /// out.
    std::size_t named = 0;
    std::string why;  ///< kUnknown: why it is not known
};

/// The order by gres.conf's lines: that of the device files where nothing is detected. With
/// AutoDetect=nvml Slurm sorts by the place that NVML gives each GPU (gres_gpu.c,
/// _sort_gpu_by_links_order), whatever the file says. Without any line, or with another kind of
/// detection, it is one of both.
GpuOrder gpu_order(const std::vector<NodeLine>& lines, const std::string& node);

/// The same by gres.conf in `folder`, where slurm.conf is, read until `deadline`. Without such a
/// file it is one of both; when it cannot be read, kUnknown.
GpuOrder read_gpu_order(const std::string& folder,
                        const std::string& node,
                        std::chrono::steady_clock::time_point deadline);

}  // namespace yardmaster
