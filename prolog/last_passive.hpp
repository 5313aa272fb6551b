// What the last passive check concluded, kept between runs so that only changes are told.
#pragma once

#include <string>

#include "healthcheck/evidence.hpp"

namespace yardmaster {

inline constexpr const char* kPassiveSubject = "passive";

struct PassiveConclusion {
    std::string verdict = "healthy";
    std::string findings;          ///< "port.rate mlx5_3; ..."
    bool out_of_service = false;   ///< the node was drained by then, by whomever
    std::string outcome = "none";  ///< Action::outcome; "" for a node out of service
    bool operator==(const PassiveConclusion&) const = default;
};

/// The conclusion of a run whose action is settled. Two drains of one fault are one conclusion,
/// whether this run drained the node or found it drained.
PassiveConclusion conclusion_of(const Evidence& evidence);

JsonValue to_json(const PassiveConclusion& conclusion);
Status from_json(const JsonNode& node, PassiveConclusion& conclusion);

}  // namespace yardmaster
