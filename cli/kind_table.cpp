#include "cli/kind_table.hpp"

#include <algorithm>
#include <utility>

#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// What a person calls the groups.
std::string kind_name(GroupKind kind) {
    return kind == GroupKind::kGradient ? "gradient (dp x cp)" : std::string(group_word(kind));
}

std::vector<std::string> headings(std::size_t tiers) {
    std::vector<std::string> headings{
        "groups", "count", "GPUs each", "split", "edges between nodes", "off rail"};
    for (std::uint32_t tier = 0; tier < tiers; ++tier) {
        headings.push_back("leaving a " + tier_name(tier));
    }
    for (std::uint32_t tier = 0; tier < tiers; ++tier) {
        headings.push_back(tier_name(tier) + "s, worst / mean");
    }
    headings.emplace_back("s a step");
    return headings;
}

std::vector<std::string> row(GroupKind kind, const KindFacts& facts, std::size_t tiers) {
    std::vector<std::string> row{kind_name(kind),
                                 std::to_string(facts.groups),
                                 std::to_string(facts.size),
                                 std::to_string(facts.split),
                                 std::to_string(facts.edges),
                                 std::to_string(facts.edges_off_rail)};
    for (std::size_t tier = 0; tier < tiers; ++tier) {
        row.push_back(std::to_string(facts.edges_leaving[tier]));
    }
    for (std::size_t tier = 0; tier < tiers; ++tier) {
        row.push_back(std::to_string(facts.spread[tier].most) + " / " +
                      number(facts.spread[tier].mean));
    }
    // What a dp group sends is part of its gradient group's all-reduce (bytes_per_step).
    row.push_back(kind == GroupKind::kDp ? "in gradient" : number(facts.time.slowest_seconds));
    return row;
}

}  // namespace

std::size_t tiers_worth_showing(const PlacementFacts& facts) {
    const std::size_t tiers = facts.units_touched.size();
    const bool separate = tiers > 0 && facts.units_touched.back() > 1;
    return separate || tiers == 0 ? tiers : tiers - 1;
}

void print_kinds(const PlacementFacts& facts, std::size_t tiers, std::ostream& out) {
    Table table(headings(tiers));
    for (GroupKind kind : kGroupKinds) {
        if (facts[kind].groups > 0) {
            table.add(row(kind, facts[kind], tiers));
        }
    }
    if (!table.empty()) {
        table.print(out);
        out << '\n';
    }
}

}  // namespace yardmaster::cli
