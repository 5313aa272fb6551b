// What an active check has proven lately, so that it need not put load on the node before every
// job.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json_value.hpp"

namespace yardmaster {

/// Subject of the passes in the state folder.
inline constexpr const char* kProvenSubject = "proven";

/// A port or GPU with its error counters at one moment.
struct ProvenObject {
    std::string name;  ///< "mlx5_3"; "GPU-..." (UUID), with the set it was measured in where that
                       ///< matters
    std::map<std::string, std::uint64_t> counters;
};

/// The last pass of one check over one object.
struct ProvenPass {
    std::string check;  ///< ActiveCheck::name
    ProvenObject object;
    double uptime_s = 0;  ///< CLOCK_BOOTTIME of the pass
};

/// What proven.json holds. A pass counts in the same boot and under the same GPU driver only.
struct ProvenState {
    std::string boot_id;
    std::string driver;  ///< NVML's driver version; "" without NVML
    std::vector<ProvenPass> passes;
};

JsonValue to_json(const ProvenState& state);
Status from_json(const JsonNode& node, ProvenState& state);

/// Why `check` need not run over `objects` now: each has passed within `max_age`, and its counters
/// stand where they stood then. None when one has not, has no counters that could tell, or when
/// `objects` is empty. `now_s` is CLOCK_BOOTTIME.
std::optional<std::string> proven_lately(const ProvenState& state,
                                         const std::string& check,
                                         const std::vector<ProvenObject>& objects,
                                         double now_s,
                                         std::chrono::seconds max_age);

/// Takes earlier passes of `check` over `objects` out.
void drop_passes(const std::string& check,
                 const std::vector<ProvenObject>& objects,
                 ProvenState& state);

/// Puts a pass of `check` over `objects` in, in place of earlier ones.
void add_passes(const std::string& check,
                const std::vector<ProvenObject>& objects,
                double now_s,
                ProvenState& state);

}  // namespace yardmaster
