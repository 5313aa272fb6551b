// What a node's checks say about its soft health over time.
#pragma once

#include <chrono>
#include <ctime>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "base/json_value.hpp"
#include "healthcheck/evidence.hpp"
#include "topology/soft_mark.hpp"

namespace yardmaster {

/// Subject of the state file.
inline constexpr const char* kSoftSubject = "soft";

/// Kept between runs.
struct SoftState {
    std::optional<SoftMark> mark;  ///< what the node's Extra ought to say
    std::string told;              ///< what slurmctld was asked to hold; "": nothing
    bool taken = false;            ///< Extra was somebody else's then
};

/// The mark as Extra has it; "": none.
std::string wanted_extra(const SoftState& state);

/// What speaks against preferring the node, in a few words: its degraded findings and GPUs that are
/// not wired as the fabric file says. "": nothing, or the node is out of service for it.
std::string soft_cause(const Evidence& evidence);

/// The state after a check with soft_cause `cause`. A mark counts for `clear_after`; a cause in its
/// second half renews it, so that constant errors change it rarely. A check without a cause takes
/// it away when its time is over.
SoftState next_soft_state(SoftState last,
                          const std::string& cause,
                          std::time_t now,
                          std::chrono::seconds clear_after);

JsonValue to_json(const SoftState& state);
Status from_json(const JsonNode& node, SoftState& state);

}  // namespace yardmaster
