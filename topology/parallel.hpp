// How a job's GPUs form parallel groups: sizes from hints and shape, ranks of every group.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/status.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

/// A process of the job, one for every GPU: 0 on the first GPU of the first node in rank order.
enum class Rank : std::uint32_t {};

/// Kinds of communication groups.
enum class GroupKind : std::uint8_t {
    kTp,        ///< tensor parallel: consecutive ranks
    kCp,        ///< context parallel: ranks tp apart
    kEp,        ///< expert parallel: consecutive ones among the cp x dp ranks of a gradient group
    kDp,        ///< data parallel: ranks tp x cp apart
    kPp,        ///< pipeline: one rank of every stage
    kGradient,  ///< dp and cp together: the ranks that all-reduce one gradient
};
inline constexpr std::array<GroupKind, 6> kGroupKinds = {GroupKind::kTp,
                                                         GroupKind::kCp,
                                                         GroupKind::kEp,
                                                         GroupKind::kDp,
                                                         GroupKind::kPp,
                                                         GroupKind::kGradient};

/// "tp", "cp", "ep", "dp", "pp"; "grad" for kGradient. Its data() ends with a zero.
std::string_view group_word(GroupKind kind);

/// Group sizes in GPUs, none left open. Ranks are in Megatron-LM's default order "tp-cp-ep-dp-pp"
/// (megatron/core/parallel_state.py, initialize_model_parallel): rank = tp index + tp x (cp index +
/// cp x (dp index + dp x pp index)). ep is no factor of the rank: expert groups cut the cp x dp
/// ranks of one pipeline stage with the same tp index into runs of ep, as Megatron's expert rank
/// generator does when the experts' tensor-parallel size is the model's.
struct Parallelism {
    std::uint32_t tp = 1;
    std::uint32_t cp = 1;
    std::uint32_t ep = 1;
    std::uint32_t dp = 1;
    std::uint32_t pp = 1;

    std::uint64_t ranks() const { return std::uint64_t{tp} * cp * dp * pp; }
    bool operator==(const Parallelism&) const = default;
};

/// The sizes that `hints` give a job of `shape` (both extents known). What is left out follows:
/// cp and ep are 1, tp and pp are 1 and dp = GPUs / (tp x cp x pp). When dp is given and the
/// product falls short of the GPUs, an absent pp takes the rest; an absent tp takes it up to a
/// node's GPUs, or all of it where pp is given. Errors as check_feasible gives for sizes
/// (kInvalidArgument); also when the shape has no GPUs.
Result<Parallelism> derive_parallelism(const Hints& hints, const JobShape& shape);

/// The ranks of one group: first, first + stride, ... (size of them), ascending.
struct RankGroup {
    std::uint32_t first = 0;
    std::uint32_t stride = 1;
    std::uint32_t size = 1;

    Rank rank(std::uint32_t position) const { return Rank{first + stride * position}; }
    bool operator==(const RankGroup&) const = default;
};

/// GPUs in each group of `kind`; 1: the job does not use that kind.
std::uint32_t group_size(const Parallelism& sizes, GroupKind kind);
/// Groups of `kind`: ranks / size.
std::uint32_t group_count(const Parallelism& sizes, GroupKind kind);
/// Group `index` (below group_count), in the order in which Megatron numbers them: by first rank.
RankGroup group_of(const Parallelism& sizes, GroupKind kind, std::uint32_t index);

/// Where a rank stands among the groups of a kind.
struct GroupPlace {
    std::uint32_t group = 0;     ///< the index that group_of takes
    std::uint32_t position = 0;  ///< of the rank in its group, from 0
    bool operator==(const GroupPlace&) const = default;
};
/// `rank` lies below sizes.ranks().
GroupPlace place_of(const Parallelism& sizes, GroupKind kind, Rank rank);

}  // namespace yardmaster
