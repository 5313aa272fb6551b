// Counters as they stood at an earlier check of the same boot, and how they have grown since.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/json_value.hpp"

namespace yardmaster {

/// One object's counters at one moment.
struct CounterSnapshot {
    double uptime_s = 0;  ///< CLOCK_BOOTTIME: seconds since this boot, whatever the wall clock did
    std::map<std::string, std::uint64_t> counters;
    /// NVML's driver version when the counters are the GPU driver's, which starts them anew; "":
    /// the kernel's.
    std::string driver{};
};

/// What counters.json holds.
struct CounterBaseline {
    std::string boot_id;  ///< the boot it belongs to; another boot's is of no use
    /// By object: "mlx5_3" (its port 1), "mlx5_3:2", "0000:13:00.0" (a PCI device),
    /// "GPU-..." (UUID).
    std::map<std::string, CounterSnapshot> objects;
};

/// Counters by name, as an object; values above 2^63 are written negative and read back right.
JsonValue counters_to_json(const std::map<std::string, std::uint64_t>& counters);
Status counters_from_json(const JsonNode& node, std::map<std::string, std::uint64_t>& counters);

JsonValue to_json(const CounterBaseline& baseline);
Status from_json(const JsonNode& node, CounterBaseline& baseline);

/// How a counter moved since its baseline.
struct Growth {
    enum class Kind {
        kNew,        ///< no baseline: nothing to compare with
        kRestarted,  ///< smaller than the baseline: reset, wrapped, or the driver was reloaded
        kSaturated,  ///< at its maximum, as at the baseline: it cannot tell any more
        kMeasured,
    };
    Kind kind = Kind::kNew;
    std::uint64_t count = 0;  ///< kMeasured: by how much; a lower bound when it is at its maximum
};

/// `bits` is the counter's width; one that reaches its maximum stays there (IBTA volume
/// 1, 16.1.3.5).
Growth growth_of(std::uint64_t now, const std::optional<std::uint64_t>& before, unsigned bits);

}  // namespace yardmaster
