// The hints that users write into --constraint, and what of them a job can have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// Parallel group sizes in GPUs and placement wishes. An absent size was not given.
struct Hints {
    std::optional<std::uint32_t>
        tp;  ///< tensor parallel: every group inside one NVLink domain; hard
    std::optional<std::uint32_t> cp;  ///< context parallel: inside the NVLink domain where it fits
    std::optional<std::uint32_t> ep;  ///< expert parallel: inside the NVLink domain where it fits
    std::optional<std::uint32_t> pp;  ///< pipeline stages
    std::optional<std::uint32_t> dp;  ///< data-parallel replicas
    bool rail = false;                ///< the same GPU indices on every node; hard
    bool leaf = false;                ///< the whole job under one leaf group; hard

    bool operator==(const Hints&) const = default;
    bool empty() const { return *this == Hints{}; }
    /// Whether any hint binds ("hard"): such a job waits rather than being placed against it.
    bool hard() const { return (tp && *tp > 1) || rail || leaf; }
    /// Canonical words joined with '&' ("tp8&pp2&rail"); parse_hints reads it back.
    std::string to_string() const;
};

/// A --constraint split into Slurm's own part and ours.
struct SplitConstraint {
    Hints hints;
    std::string features;  ///< what is left for Slurm, in its order; "" when only hints were given
};

/// Splits `constraint` into hints and real features. Hints stand at the top level, joined with '&',
/// anywhere among the features. Everything that is not a hint is passed on to Slurm unread.
/// Errors (kInvalidArgument, for the user's eyes): a hint inside "|", "[]", "()" or with "*"; a
/// number that is no integer from 1 to 65536; a hint given twice with different numbers; a word
/// that is nearly a hint ("tp=8", "tp-8", "TP8", "tp").
Result<SplitConstraint> split_constraint(std::string_view constraint);

/// The hint words alone, as Hints::to_string writes them. "" gives empty hints.
Result<Hints> parse_hints(std::string_view words);

/// The first hint word in `text` wherever it stands, e.g. in --prefer, where none is allowed.
std::optional<std::string> find_hint_word(std::string_view text);

/// The job's extent as far as it is known at submit.
struct JobShape {
    std::uint32_t nodes = 0;          ///< nodes the job will get; 0: not known
    std::uint32_t gpus_per_node = 0;  ///< 0: none asked for
    std::uint64_t gpus() const { return std::uint64_t{nodes} * gpus_per_node; }
};

/// Nodes that one TP group (and with it whole nodes) needs: lcm(tp, gpus_per_node) / gpus_per_node;
/// 1 without tp. The placer's unit of choice, the quantum.
std::uint32_t quantum_nodes(const Hints& hints, std::uint32_t gpus_per_node);

/// Whether the sizes in `hints` fit each other and a job of `shape`, whatever the fabric: the part
/// of check_feasible that gives kInvalidArgument.
Status check_sizes(const Hints& hints, const JobShape& shape);

/// Whether a job of `shape` could ever run with `hints` on `fabric` with every node free.
/// Errors (for the user's eyes): kInvalidArgument for sizes that do not divide the job's GPUs or
/// that contradict each other, kInfeasible for what this fabric can never hold, with the largest
/// that would fit ("tp16: largest NVLink domain here has 8 GPUs").
Status check_feasible(const Hints& hints, const JobShape& shape, const Fabric& fabric);

}  // namespace yardmaster
