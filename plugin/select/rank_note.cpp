#include "plugin/select/rank_note.hpp"

#include "plugin/common/log.hpp"
#include "topology/rank_sheet_of.hpp"

namespace yardmaster {
namespace {

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

}  // namespace

std::string rank_note(const Fabric* fabric,
                      const RankPlan* plan,
                      const NodeSet& nodes,
                      const Hints& hints,
                      const ym_job_info& info) {
    // With --gpus, --gpus-per-task or --gpus-per-socket nodes may get different numbers of GPUs.
    const bool told = info.gpus_per_node > 0 && (!hints.empty() || nodes.size() > 1);
    if (!told || nodes.empty() || !ym_conf_prolog_at_allocation()) {
        return "";
    }
    const std::string line =
        format_rank_sheet(plan != nullptr ? rank_sheet_of(*fabric, *plan, info.gpus_per_node, hints)
                                          : plain_sheet(nodes, hints, info.gpus_per_node));
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
