#include "plugin/spank/step_ranks.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

#include "topology/hostlist.hpp"

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

/// A job without a sheet: Slurm's order, and nothing known of its GPUs.
Result<RankSheet> sheet_of(const JobNote& note, const std::vector<std::string>& job_nodes) {
    if (!note.sheet.empty()) {
        return parse_rank_sheet(note.sheet);
    }
    RankSheet sheet;
    sheet.nodes = job_nodes;
    return sheet;
}

/// The process's own nodes: of a step over several components of a heterogeneous job only those of
/// its own, since each component has hints and ranks of its own.
Result<std::vector<std::string>> nodes_of(const std::vector<std::string>& job_nodes,
                                          const ProcessFacts& facts) {
    if (facts.whole_job) {
        return job_nodes;
    }
    auto nodes = expand_hostlist(facts.nodes);
    if (!nodes) {
        return nodes;
    }
    if (!job_nodes.empty()) {
        const std::unordered_set<std::string_view> known(job_nodes.begin(), job_nodes.end());
        std::erase_if(nodes.value(),
                      [&](const std::string& node) { return !known.contains(node); });
    }
    if (nodes->size() != facts.nnodes) {
        return Status(ErrorCode::kMalformed,
                      "the step's nodes are " + facts.nodes.substr(0, 200) + ", of which " +
                          std::to_string(nodes->size()) + " belong to the job, but Slurm counts " +
                          std::to_string(facts.nnodes));
    }
    return nodes;
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
    const auto job_nodes = expand_hostlist(note.nodes);
    if (!job_nodes) {
        return job_nodes.status();
    }
    const auto sheet = sheet_of(note, *job_nodes);
    const auto nodes = nodes_of(*job_nodes, facts);
    if (!sheet || !nodes) {
        return sheet ? nodes.status() : sheet.status();
    }
    const RankLayout layout = layout_of(*sheet, *nodes);
    const auto node_rank = layout.node_rank(facts.node);
    if (!node_rank) {
        return Status(ErrorCode::kMalformed,
                      "this node, " + facts.node + ", is none of the step's: " + facts.nodes);
    }
    ProcessRanks ranks;
    ranks.variables = node_variables(layout, *node_rank);
    ranks.remark = layout.no_sizes;
    tell_processes(*sheet, note, facts, layout, *node_rank, ranks);
    return ranks;
}

}  // namespace yardmaster
