// Judges the bit error rates of NVLink 5.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// After forward error correction, what replays still mend: GoogleCloudPlatform/cluster-toolkit's
/// NVLink check of GB200 nodes (pull request 5942) takes more for a fault.
inline constexpr double kMaxEffectiveBer = 1e-9;
/// What neither mends: ibdiagnet's limit for a link (user manual, "Bit Error Rate": 10^-12).
inline constexpr double kMaxSymbolBer = 1e-12;

/// A finding for the worst link above a limit, and one for a rate that cannot be. The rates are
/// means since the link came up, so none is certain alone.
void judge_error_rates(const std::string& name,
                       const GpuReading& gpu,
                       std::vector<Finding>& findings);

}  // namespace yardmaster
