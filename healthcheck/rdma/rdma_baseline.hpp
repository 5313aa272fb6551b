// What pairs of rails did in earlier runs: rdma.json in the state folder.
#pragma once

#include <string>
#include <vector>

#include "base/json_value.hpp"

namespace yardmaster {

/// One pair's good measurements. Any change of what it was measured under starts it anew.
struct RdmaBaseline {
    std::string pair;          ///< pair_name
    std::string conditions;    ///< rates, firmware, MTU, PCIe, memory, message size of both ends
    std::vector<double> gbps;  ///< the best window of each good run, oldest first
};

/// A baseline says something from this many values on: fewer could all be bad luck.
inline constexpr std::size_t kBaselineLeast = 3;
/// The newest are kept: a median of nine is moved by no four of them.
inline constexpr std::size_t kBaselineMost = 9;

/// The subject of the state file.
inline constexpr const char* kRdmaState = "rdma";

struct RdmaBaselines {
    std::vector<RdmaBaseline> pairs;
};
JsonValue to_json(const RdmaBaseline& baseline);
JsonValue to_json(const RdmaBaselines& baselines);
Status from_json(const JsonNode& node, RdmaBaseline& baseline);
Status from_json(const JsonNode& node, RdmaBaselines& baselines);

/// Adds a good value; drops the oldest above kBaselineMost, and all of other conditions.
void learn(const std::string& pair,
           const std::string& conditions,
           double gbps,
           RdmaBaselines& baselines);

/// The median of `values`, which is not empty.
double median_of(std::vector<double> values);

}  // namespace yardmaster
