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

/// Ranks count the same number of GPUs on every node.
RankSheet uneven_sheet(const NodeSet& nodes, const Hints& hints) {
    RankSheet sheet = plain_sheet(nodes, hints, 0);
    sheet.uneven = true;
    return sheet;
}

RankSheet sheet_for(const Fabric* fabric,
                    const RankPlan* plan,
                    const NodeSet& nodes,
                    const Hints& hints,
                    const DealtGpus& gpus) {
    if (gpus.uneven) {
        return uneven_sheet(nodes, hints);
    }
    return plan != nullptr ? rank_sheet_of(*fabric, *plan, gpus.each, hints)
                           : plain_sheet(nodes, hints, gpus.each);
}

}  // namespace

DealtGpus dealt_gpus(const ym_job* job, const ym_job_info& info) {
    if (info.gpus_per_node > 0) {
        return {info.gpus_per_node, false};
    }
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    ym_job_chosen_gpus(job, &least, &most);
    return least == most ? DealtGpus{most, false} : DealtGpus{0, true};
}

std::string rank_note(const Fabric* fabric,
                      const RankPlan* plan,
                      const NodeSet& nodes,
                      const Hints& hints,
                      const DealtGpus& gpus,
                      const ym_job_info& info) {
    const bool told = (gpus.each > 0 || gpus.uneven) && (!hints.empty() || nodes.size() > 1);
    if (!told || nodes.empty() || !ym_conf_prolog_at_allocation()) {
        return "";
    }
    const std::string line = format_rank_sheet(sheet_for(fabric, plan, nodes, hints, gpus));
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
