// GPU counts in the TRES strings of a submission.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace yardmaster {

/// GPUs asked for by a comma list such as "gres:gpu:h100:8,gres:license:2" (also "gpu:8",
/// "gres/gpu=8", "gpu"): the sum over its gpu entries, 0 when it has none. None when a gpu entry
/// cannot be read; Slurm refuses such a submission itself.
std::optional<std::uint32_t> gpus_in(std::string_view tres);
/// How many entries of such a list ask for GPUs: one for each type.
std::uint32_t gpu_entries_in(std::string_view tres);

}  // namespace yardmaster
