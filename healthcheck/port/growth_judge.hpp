// Judges how a port's error counters have grown since an earlier check of the same boot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// The port's name as the fabric file writes it, which is its name in the baseline: "mlx5_3",
/// "mlx5_3:2".
std::string port_name(const PortReading& reading);

/// The baseline of `object`, when it is of this boot and, for a GPU, of this driver; borrowed from
/// `readings`.
const CounterSnapshot* baseline_of(const Readings& readings, const std::string& object);

/// One finding ("port.growth", never certain) when a counter of this port grew more than it may.
/// All counters together are one sign: a link that drops for a moment moves most of them. Only a
/// port that is active is judged so; the others are down, and that is said elsewhere. `gbps` 0: the
/// rate that the port tells is taken.
std::optional<Finding> judge_growth(const PortReading& reading,
                                    double gbps,
                                    const CounterLimits& limits,
                                    const Readings& readings);

/// What the baseline cannot tell: counters that are saturated, restarted, or that only show
/// congestion. Sentences for the evidence's notes.
std::vector<std::string> growth_notes(const PortReading& reading, const Readings& readings);

}  // namespace yardmaster
