// The rank sheet: what a job carries to its nodes about its ranks. slurmctld writes it once, when
// the job begins, so that every node knows the same order without asking anybody and without a
// file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

/// The variable of the job's SPANK environment that holds the sheet; prologs see it with "SPANK_"
/// before its name.
inline constexpr const char* kRankSheetEnv = "YARDMASTER_RANKS";

/// Longer sheets are not sent: the kernel takes no string of an environment above 128 KiB
/// (MAX_ARG_STRLEN), and the line goes to every node of the job.
inline constexpr std::size_t kRankSheetMaxBytes = 64 * 1024;

/// Who made the order of the nodes.
enum class RankOrder {
    kSlurm,   ///< the order of slurmctld's node table, looked at by nobody
    kDomain,  ///< plan_ranks: domains and switches together; where Slurm's is as good, Slurm's
};
/// "slurm", "domain".
std::string_view to_string(RankOrder order);

/// A GPU whose NIC is not the one that `rails` names for its index.
struct RailDifference {
    std::string node;
    std::uint32_t gpu = 0;
    std::string nic;  ///< "": it has none
    bool operator==(const RailDifference&) const = default;
};

struct RankSheet {
    RankOrder order = RankOrder::kSlurm;
    std::vector<std::string> nodes;   ///< in rank order, each once
    std::uint32_t gpus_per_node = 0;  ///< the same on every node; 0: none, or not the same
    bool uneven = false;  ///< nodes have different numbers of GPUs, so processes have no ranks
    Hints hints;          ///< empty: the job has none, and no groups
    std::vector<std::string> rails;  ///< [GPU index] RDMA device, "" for none; empty: not known
    std::vector<RailDifference> differences;

    bool operator==(const RankSheet&) const = default;
    /// The RDMA device of a GPU; none: it has none, or it is not known.
    std::optional<std::string> nic(std::string_view node, std::uint32_t gpu) const;
};

/// One line of "key=value" words, printable ASCII. Names with blanks, commas or slashes (fabric
/// files may hold any) are left out as if they were not known.
std::string format_rank_sheet(const RankSheet& sheet);

/// Reads format_rank_sheet's line back. kMalformed names the word that is wrong.
Result<RankSheet> parse_rank_sheet(std::string_view line);

/// The same without its nodes, whose expansion is what takes time in a large job.
Result<RankSheet> parse_rank_sheet_head(std::string_view line);
/// Its nodes in rank order, a host list; "": the line has none. A view into `line`.
std::string_view rank_sheet_nodes(std::string_view line);

}  // namespace yardmaster
