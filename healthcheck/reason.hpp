// The drain reason that Yardmaster writes into Slurm, and reads back: docs/drain-reasons.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// `sinfo -R` shows this many characters of a reason; ours says what is wrong within them.
inline constexpr std::size_t kReasonShown = 20;
/// No reason of ours is longer: it travels in every node record.
inline constexpr std::size_t kReasonMaxBytes = 200;

struct DrainReason {
    std::string cause;  ///< "mlx5_3 100/400Gb": what `sinfo -R` shows after "ym "
    std::uint32_t job = 0;
    std::string evidence_id;  ///< names the evidence file on the node
    bool simulated = false;   ///< the hardware was simulated: a test or a demo
    std::string detail;       ///< for people; may be cut
};

/// "<object> <short text>" of a finding, cut so that "ym " and it fit into kReasonShown characters:
/// a long device name loses its front ("~44s0f0 100/400Gb"), "NVLink" becomes "NVL".
std::string cause_of(const Finding& finding);

/// The form of a reason, for people.
inline constexpr const char* kReasonForm =
    "ym <object> <what> job <job id> ev <evidence id>[ SIMULATED][ <detail>]";

/// kReasonForm filled in, printable ASCII, at most kReasonMaxBytes (the detail is cut).
std::string format_reason(const DrainReason& reason);

/// Whether a node's reason is one of ours: it starts with "ym ".
bool is_our_reason(std::string_view reason);

/// Reads format_reason's text back; none when it is not ours or was edited out of that form.
std::optional<DrainReason> parse_reason(std::string_view reason);

}  // namespace yardmaster
