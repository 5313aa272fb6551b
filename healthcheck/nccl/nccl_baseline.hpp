// What all-reduce did in earlier runs: nccl.json in the state folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_value.hpp"
#include "healthcheck/nccl/nccl_start.hpp"

namespace yardmaster {

/// All that bandwidth depends on; measurements are compared only when all of it is the same.
struct NcclConditions {
    std::string model;  ///< nvmlDeviceGetName
    unsigned gpus = 0;
    /// Which GPUs, where it matters: "" when NVSwitches join all alike, else their minors, "0,4".
    std::string set;
    std::string driver;     ///< nvmlSystemGetDriverVersion
    std::string nccl;       ///< "2.28.9"
    std::string site_conf;  ///< fingerprint of /etc/nccl.conf; "" without one
    std::uint64_t bytes = 0;
    bool operator==(const NcclConditions&) const = default;
};

struct NcclBaseline {
    NcclConditions conditions;
    /// The best window of each of the first healthy runs, busbw in GB/s, oldest first.
    std::vector<double> busbw;
};

/// A baseline proves something from this many runs on: fewer could all be odd ones.
inline constexpr std::size_t kNcclBaselineLeast = 3;
/// With this many it is complete and stays as it is. A rolling one would follow a slow decay down.
inline constexpr std::size_t kNcclBaselineFull = 5;
/// Sizes, counts, sets and versions of some years of updates; then the oldest go.
inline constexpr std::size_t kNcclBaselinesKept = 200;

/// The subject of the state file.
inline constexpr const char* kNcclState = "nccl";

struct NcclBaselines {
    std::vector<NcclBaseline> all;  ///< the one that was last learned from stands last
    std::vector<NcclStart> starts{};
};

/// The median; none for a baseline without values.
std::optional<double> expected_busbw(const NcclBaseline& baseline);
/// nullptr when nothing was learned under these conditions. Borrowed.
const NcclBaseline* find_baseline(const std::vector<NcclBaseline>& all,
                                  const NcclConditions& conditions);

/// Adds the value of a run without findings, up to kNcclBaselineFull. A value more than `max_loss`
/// below the median is never taken. One that beats it by as much shows that what was learned is
/// that of a degraded node: learning starts anew with it. So a baseline never sinks.
void learn_busbw(const NcclConditions& conditions,
                 double busbw,
                 double max_loss,
                 NcclBaselines& baselines);

JsonValue to_json(const NcclBaseline& baseline);
JsonValue to_json(const NcclBaselines& baselines);
Status from_json(const JsonNode& node, NcclBaseline& baseline);
Status from_json(const JsonNode& node, NcclBaselines& baselines);

}  // namespace yardmaster
