#include "plugin/select/rank_note.hpp"

#include "plugin/common/log.hpp"
#include "topology/rank_sheet_of.hpp"

namespace yardmaster {
namespace {

/// In Slurm's order; empty when the fabric lacks one of them.
std::vector<NodeIndex> fabric_nodes(const NodeMap& map, const NodeSet& nodes) {
    std::vector<NodeIndex> known;
    for (const std::int32_t node : nodes) {
        const auto index = map.fabric_node(node);
        if (!index) {
            return {};
        }
        known.push_back(*index);
    }
    return known;
}

/// Nobody has planned anything: names, counts and hints alone.
RankSheet plain_sheet(const NodeSet& nodes, const Hints& hints, std::uint32_t gpus_per_node) {
    RankSheet sheet;
    sheet.gpus_per_node = gpus_per_node;
    sheet.hints = hints;
    for (const std::int32_t node : nodes) {
        const char* name = ym_node_name(node);
        sheet.nodes.emplace_back(name == nullptr ? "" : name);
    }
    return sheet;
}

/// Ranks count the same number of GPUs on every node.
RankSheet uneven_sheet(const NodeSet& nodes, const Hints& hints) {
    RankSheet sheet = plain_sheet(nodes, hints, 0);
    sheet.uneven = true;
    return sheet;
}

RankSheet sheet_for(const Fabric* fabric,
                    const NodeMap* map,
                    const NodeSet& nodes,
                    const Hints& hints,
                    std::uint32_t gpus_per_node) {
    const auto known = fabric == nullptr ? std::vector<NodeIndex>() : fabric_nodes(*map, nodes);
    if (!known.empty()) {
        auto planned = rank_sheet_of(*fabric, known, gpus_per_node, hints);
        if (planned) {
            return std::move(planned).value();
        }
    }
    return plain_sheet(nodes, hints, gpus_per_node);
}

}  // namespace

std::string rank_note(const Fabric* fabric,
                      const NodeMap* map,
                      const NodeSet& nodes,
                      const Hints& hints,
                      const ym_job* job,
                      const ym_job_info& info) {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    ym_job_chosen_gpus(job, &least, &most);
    const bool told = info.gpus_per_node + most > 0 && (!hints.empty() || nodes.size() > 1);
    if (!told || nodes.empty() || !ym_conf_prolog_at_allocation()) {
        return "";
    }
    // --exclusive gives a job more GPUs than it asked for, and its hints speak of those.
    const std::uint32_t gpus = info.gpus_per_node > 0 ? info.gpus_per_node : most;
    const bool uneven = info.gpus_per_node == 0 && least != most;
    const std::string line = format_rank_sheet(uneven ? uneven_sheet(nodes, hints)
                                                      : sheet_for(fabric, map, nodes, hints, gpus));
    if (line.size() > kRankSheetMaxBytes) {
        log_info("job " + std::to_string(info.job_id) + ": its rank sheet has " +
                 std::to_string(line.size()) +
                 " bytes, more than can be sent, so its node ranks are "
                 "Slurm's (`yardmaster ranks` has the order)");
        return "";
    }
    return line;
}

}  // namespace yardmaster
