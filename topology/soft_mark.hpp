// The mark of a node whose links are in doubt but not bad enough for a drain: one line in the
// node's Extra in Slurm. The prolog writes it, the select plugin and the commands read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yardmaster {

/// Soft degradation of one node.
struct SoftMark {
    std::string cause;       ///< as a drain reason would say it: "mlx5_3 flapped"
    std::int64_t since = 0;  ///< first seen, seconds since 1970
    std::int64_t until = 0;  ///< counts until then, unless a later check renews it

    bool in_force(std::int64_t now) const { return now < until; }
    bool operator==(const SoftMark&) const = default;
};

/// The form, for people. It is JSON, since Slurm 24.11 refuses any other Extra where
/// SchedulerParameters has extra_constraints.
inline constexpr const char* kSoftMarkForm =
    R"({"yardmaster":{"soft":"<cause>","since":<time>,"until":<time>}})";

/// Slurm sends Extra in every node record, so a cause is cut to this.
inline constexpr std::size_t kSoftCauseMaxBytes = 40;

/// kSoftMarkForm filled in. Of the cause only printable ASCII stays, quotes and backslashes not.
std::string format_soft_mark(const SoftMark& mark);

/// Reads format_soft_mark's line back. None for everything else: nothing, somebody else's text, an
/// edited mark. Never fails, allocates only for a mark.
std::optional<SoftMark> parse_soft_mark(std::string_view extra);

}  // namespace yardmaster
