#include "plugin/spank/step_ranks.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace yardmaster {
namespace {

/// N of "N" and "N(xM)"; none when nodes have different numbers ("8(x3),4") or the text is no such.
std::optional<std::uint32_t> even_tasks(std::string_view text) {
    std::uint32_t tasks = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, tasks);
    const std::string_view rest(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
    const bool repeated = rest.starts_with("(x") && rest.find(')') == rest.size() - 1;
    return parsed.ec == std::errc() && (rest.empty() || repeated) ? std::optional(tasks)
                                                                  : std::nullopt;
}

struct Placed {
    RankLayout layout;
    std::uint32_t node_rank = 0;
};

Status contradiction(const ProcessFacts& facts, std::uint32_t nodes) {
    return {ErrorCode::kMalformed,
            "the step's nodes are " + facts.nodes.substr(0, 200) + ", of which " +
                std::to_string(nodes) + " belong to the job, but Slurm counts " +
                std::to_string(facts.nnodes)};
}

Status not_of_the_step(const ProcessFacts& facts) {
    return {ErrorCode::kMalformed,
            "this node, " + facts.node + ", is none of the step's: " + facts.nodes.substr(0, 200)};
}

/// The step's own layout, of a part of the job or in Slurm's order. Of a step over several
/// components of a heterogeneous job only the nodes of the process's own count, since each
/// component has hints and ranks of its own.
Result<Placed> place_in_step(const JobNote& note,
                             const RankSheet& head,
                             const ProcessFacts& facts) {
    const auto among = place_among(note, facts.nodes, facts.node);
    if (!among) {
        return among.status();
    }
    const HostsIn& hosts = among->hosts;
    if (hosts.count != facts.nnodes) {
        return contradiction(facts, hosts.count);
    }
    if (!hosts.place) {
        return not_of_the_step(facts);
    }
    Placed placed{layout_at(head, hosts.count, hosts.first), *hosts.place};
    placed.layout.order = among->by_sheet ? head.order : RankOrder::kSlurm;
    return placed;
}

/// Work that grows with the job is done only where the prolog's answer does not hold: for a part of
/// the job, and, without a sheet, for a step whose nodes Slurm may have sorted otherwise than the
/// job's.
Result<Placed> place_of_process(const JobNote& note,
                                const RankSheet& head,
                                const ProcessFacts& facts) {
    const JobPlace& place = note.place;
    const bool whole = facts.whole_job || facts.nnodes == place.nnodes;
    const bool same_order = !note.sheet.empty() || facts.whole_job ||
                            (facts.nodes == note.nodes && facts.node_id == place.node_rank);
    if (whole && same_order) {
        return Placed{layout_at(head, place.nnodes, place.master), place.node_rank};
    }
    return place_in_step(note, head, facts);
}

void append(std::vector<RankVariable> more, std::vector<RankVariable>& variables) {
    std::move(more.begin(), more.end(), std::back_inserter(variables));
}

/// What is told of processes rather than of nodes.
void tell_processes(const RankSheet& sheet,
                    const JobNote& note,
                    const ProcessFacts& facts,
                    const RankLayout& layout,
                    std::uint32_t node_rank,
                    ProcessRanks& ranks) {
    const std::uint32_t gpus = layout.gpus_per_node;
    const auto tasks = even_tasks(facts.tasks_per_node);
    const bool by_index = note.gpus.size() == gpus;  // local rank i has the node's i-th GPU
    if (gpus == 0) {
        ranks.remark = sheet.uneven
                           ? "the job has different numbers of GPUs on its nodes, so ranks "
                             "and groups are left out (--gpus-per-node gives all the same)"
                           : ranks.remark;
        return;
    }
    if (!facts.whole_job && tasks == gpus && facts.local < gpus) {
        append(task_variables(layout, node_rank, facts.local), ranks.variables);
        if (by_index) {
            append(rail_variables(sheet, facts.node, {&note.gpus[facts.local], 1}),
                   ranks.variables);
        }
    } else if (facts.whole_job || tasks == 1U) {
        append(group_variables(layout, node_rank), ranks.variables);
        if (by_index) {
            append(rail_variables(sheet, facts.node, note.gpus), ranks.variables);
        }
    } else {
        ranks.remark = "neither one task a node nor one for each of " + std::to_string(gpus) +
                       " GPUs (tasks per node: " + facts.tasks_per_node.substr(0, 80) +
                       "), so group numbers are left out";
    }
}

}  // namespace

Result<ProcessRanks> ranks_of(const JobNote& note, const ProcessFacts& facts) {
    const auto sheet = note.sheet.empty() ? RankSheet{} : parse_rank_sheet_head(note.sheet);
    const auto placed = sheet ? place_of_process(note, *sheet, facts) : sheet.status();
    if (!placed) {
        return placed.status();
    }
    ProcessRanks ranks;
    ranks.variables = node_variables(placed->layout, placed->node_rank);
    ranks.remark = placed->layout.no_sizes;
    tell_processes(*sheet, note, facts, placed->layout, placed->node_rank, ranks);
    return ranks;
}

}  // namespace yardmaster
