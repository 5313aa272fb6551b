#include "cli/placement_report.hpp"

#include <algorithm>
#include <utility>

#include "cli/kind_table.hpp"
#include "cli/node_sets.hpp"
#include "cli/placement_criteria.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster::cli {
namespace {

struct Line {
    std::string label;
    std::string value;
};

std::string groups_of(std::uint32_t size) {
    return std::to_string(size) + " groups";
}

/// How far the groups of every kind are spread, and what that costs.
void add_kind_lines(const PlacementFacts& facts, std::size_t tiers, std::vector<Line>& lines) {
    for (GroupKind kind : {GroupKind::kCp, GroupKind::kEp, GroupKind::kDp, GroupKind::kPp}) {
        const KindFacts& groups = facts[kind];
        for (std::uint32_t tier = 0; tier < std::min(tiers, groups.spread.size()); ++tier) {
            lines.push_back({std::string(group_word(kind)) + groups_of(groups.size) + ": " +
                                 tier_name(tier) + "s, worst / mean",
                             std::to_string(groups.spread[tier].most) + " / " +
                                 number(groups.spread[tier].mean)});
        }
    }
    if (facts[GroupKind::kGradient].groups > 0) {
        lines.push_back(
            {"gradient all-reduce, s a step", kind_time_text(facts, GroupKind::kGradient)});
    }
    if (facts.predicted_seconds > 0) {
        lines.push_back({"all communication, s a step", step_time_text(facts)});
    }
}

std::vector<Line> fact_lines(const PlacementFacts& facts, std::size_t tiers) {
    std::vector<Line> lines;
    if (facts.tp_groups > 0) {
        lines.push_back({"TP groups", std::to_string(facts.tp_groups)});
        lines.push_back({"  split between domains", std::to_string(facts.split_tp_groups)});
    }
    lines.push_back({"NVLink domains", std::to_string(facts.nvlink_domains)});
    for (std::uint32_t tier = 0; tier < std::min(tiers, facts.units_touched.size()); ++tier) {
        lines.push_back({tier_name(tier) + "s", std::to_string(facts.units_touched[tier])});
    }
    for (std::uint32_t tier = 0; tier < std::min(tiers, facts.ring_edges_leaving.size()); ++tier) {
        const std::string leaving = std::to_string(facts.ring_edges_leaving[tier]) + " of " +
                                    std::to_string(facts.ring_edges);
        lines.push_back({"ring edges leaving a " + tier_name(tier),
                         facts.ring_edges > 0 ? leaving : "no ring"});
    }
    add_kind_lines(facts, tiers, lines);
    return lines;
}

/// Tiers worth a line: the topmost says nothing where everything lies in one fabric.
std::size_t tiers_to_show(const std::vector<PlacementColumn>& columns) {
    std::size_t tiers = 0;
    for (const PlacementColumn& column : columns) {
        tiers = std::max(tiers, tiers_worth_showing(column.facts));
    }
    return tiers;
}

std::vector<Line> score_lines(const PlacementScore& score) {
    std::vector<Line> lines;
    for (const Criterion& criterion : criteria_of(score)) {
        // One weight class, or none, decides nothing.
        const bool weights = std::string_view(criterion.key) == "weight_use";
        if (!weights || criterion.value.size() > 1) {
            lines.push_back({criterion.label, criterion_text(criterion)});
        }
    }
    return lines;
}

/// Lines of several columns side by side; all have the same labels, because all columns come from
/// one fabric and one request.
void add_block(const std::vector<std::vector<Line>>& columns, Table& table) {
    for (std::size_t i = 0; i < columns.front().size(); ++i) {
        std::vector<std::string> row{columns.front()[i].label};
        for (const auto& column : columns) {
            row.push_back(column[i].value);
        }
        table.add(std::move(row));
    }
}

}  // namespace

std::string step_time_text(const PlacementFacts& facts) {
    return no_link(facts) ? kNoLink : number(facts.predicted_seconds);
}

double times_as_long(const PlacementFacts& facts, const PlacementFacts& best) {
    const bool told = !no_link(facts) && !no_link(best) && best.predicted_seconds > 0;
    return told ? facts.predicted_seconds / best.predicted_seconds : 0;
}

PlacementColumn make_column(std::string title,
                            const Fabric& fabric,
                            const Placer& placer,
                            const std::vector<NodeIndex>& nodes,
                            const PlacementRequest& request) {
    const auto ranked = in_name_order(fabric, nodes);
    std::vector<NodeIndex> ascending = nodes;
    std::sort(ascending.begin(), ascending.end());
    return {std::move(title),
            ranked,
            placer.score(ascending, request),
            describe(fabric, ranked, request.gpus_per_node, request.hints, placer.weights())};
}

PlacementColumn make_ranked_column(std::string title,
                                   const Fabric& fabric,
                                   const Placer& placer,
                                   const std::vector<NodeIndex>& nodes,
                                   const PlacementRequest& request) {
    PlacementColumn column = make_column(std::move(title), fabric, placer, nodes, request);
    const auto ranks =
        plan_ranks(fabric, column.nodes, request.gpus_per_node, request.hints, placer.weights());
    if (ranks) {  // a job without GPUs has no groups to order
        column.nodes = ranks->order;
        column.facts =
            describe(fabric, column.nodes, request.gpus_per_node, request.hints, placer.weights());
    }
    return column;
}

void print_columns(const std::vector<PlacementColumn>& columns, std::ostream& out) {
    const std::size_t tiers = tiers_to_show(columns);
    std::vector<std::string> headings{"  "};
    std::vector<std::vector<Line>> facts;
    std::vector<std::vector<Line>> scores;
    for (const PlacementColumn& column : columns) {
        headings.push_back(column.title);
        facts.push_back(fact_lines(column.facts, tiers));
        scores.push_back(score_lines(column.score));
    }
    Table table(headings);
    add_block(facts, table);
    table.add({"weighed, in this order, less is better:"});
    add_block(scores, table);
    table.print(out);
}

std::optional<std::string> deciding_criterion(const PlacementScore& better,
                                              const PlacementScore& other) {
    const auto a = criteria_of(better);
    const auto b = criteria_of(other);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].value != b[i].value) {
            return std::string(a[i].label) + ": " + criterion_text(a[i]) + " against " +
                   criterion_text(b[i]);
        }
    }
    return std::nullopt;
}

}  // namespace yardmaster::cli
