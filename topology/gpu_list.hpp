// A set of GPU indices as people write it: "0-3,6".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/index_set.hpp"

namespace yardmaster {

/// "0-3,6" for the indices 0, 1, 2, 3 and 6, as Slurm writes GRES_IDX; "" for none.
std::string format_gpu_list(GpuMask gpus);

/// Reads format_gpu_list's text back; none for anything else (also for no index at all).
std::optional<GpuMask> parse_gpu_list(std::string_view text);

}  // namespace yardmaster
