#include "cli/kind_table.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// What marks a number that harms.
constexpr const char* kMark = " (!)";

/// Without context parallelism the gradient's groups are the dp groups, shown once.
bool worth_a_column(const PlacementFacts& facts, GroupKind kind) {
    return facts[kind].groups > 0 && (kind != GroupKind::kGradient || facts.sizes.cp > 1);
}

/// What a person calls the groups.
std::string kind_name(GroupKind kind) {
    return kind == GroupKind::kGradient ? "dp x cp" : std::string(group_word(kind));
}

/// Groups outside one NVLink domain. Those of other kinds are meant for the network; a TP group
/// there runs at a tenth of its speed.
std::string over_network(GroupKind kind, const KindFacts& groups) {
    const bool harms = kind == GroupKind::kTp && groups.split > 0;
    return std::to_string(groups.split) + (harms ? kMark : "");
}

std::string time_cell(const PlacementFacts& facts, GroupKind kind) {
    // What a dp group sends is part of its gradient's all-reduce (bytes_per_step).
    const bool reduces = kind == GroupKind::kDp;
    if (reduces && facts.sizes.cp > 1) {
        return "in dp x cp";
    }
    return kind_time_text(facts, reduces ? GroupKind::kGradient : kind);
}

class KindTable {
  public:
    using Cell = std::function<std::string(GroupKind, const KindFacts&)>;

    explicit KindTable(const PlacementFacts& facts)
        : facts_(facts), kinds_(kinds_of(facts)), table_(headings(kinds_)) {}

    bool empty() const { return kinds_.empty(); }
    void add(std::string label, const Cell& cell) {
        std::vector<std::string> row{std::move(label)};
        for (GroupKind kind : kinds_) {
            row.push_back(cell(kind, facts_[kind]));
        }
        table_.add(std::move(row));
    }
    void print(std::ostream& out) const { table_.print(out); }

  private:
    static std::vector<GroupKind> kinds_of(const PlacementFacts& facts) {
        std::vector<GroupKind> kinds;
        std::copy_if(
            kGroupKinds.begin(), kGroupKinds.end(), std::back_inserter(kinds), [&](GroupKind kind) {
                return worth_a_column(facts, kind);
            });
        return kinds;
    }
    static std::vector<std::string> headings(const std::vector<GroupKind>& kinds) {
        std::vector<std::string> headings{"groups by kind"};
        for (GroupKind kind : kinds) {
            headings.push_back(kind_name(kind));
        }
        return headings;
    }

    const PlacementFacts& facts_;
    const std::vector<GroupKind> kinds_;
    Table table_;
};

void add_edges(std::size_t tiers, KindTable& table) {
    const auto count = [](std::uint32_t value) { return std::to_string(value); };
    table.add("edges between nodes",
              [&](GroupKind, const KindFacts& groups) { return count(groups.edges); });
    table.add("  leaving their rail",
              [&](GroupKind, const KindFacts& groups) { return count(groups.edges_off_rail); });
    for (std::uint32_t tier = 0; tier < tiers; ++tier) {
        table.add("  leaving a " + tier_name(tier), [&](GroupKind, const KindFacts& groups) {
            return count(groups.edges_leaving[tier]);
        });
    }
}

void add_spread(std::size_t tiers, KindTable& table) {
    for (std::uint32_t tier = 0; tier < tiers; ++tier) {
        table.add(tier_name(tier) + "s per group, worst / mean",
                  [tier](GroupKind, const KindFacts& groups) {
                      return std::to_string(groups.spread[tier].most) + " / " +
                             number(groups.spread[tier].mean);
                  });
    }
}

}  // namespace

bool no_link(const PlacementFacts& facts, GroupKind kind) {
    const KindFacts& groups = facts[kind];
    // Above the topmost tier there is nothing; without tiers there is nothing beside NVLink.
    return (groups.edges_leaving.empty() ? groups.split : groups.edges_leaving.back()) > 0;
}

bool no_link(const PlacementFacts& facts) {
    return std::any_of(kGroupKinds.begin(), kGroupKinds.end(), [&](GroupKind kind) {
        return no_link(facts, kind);
    });
}

std::string kind_time_text(const PlacementFacts& facts, GroupKind kind) {
    return no_link(facts, kind) ? kNoLink : number(facts[kind].time.slowest_seconds);
}

std::size_t tiers_worth_showing(const PlacementFacts& facts) {
    const std::size_t tiers = facts.units_touched.size();
    return facts.separate_fabrics() || tiers == 0 ? tiers : tiers - 1;
}

void print_kinds(const PlacementFacts& facts, std::size_t tiers, std::ostream& out) {
    KindTable table(facts);
    if (table.empty()) {
        return;
    }
    table.add("count",
              [](GroupKind, const KindFacts& groups) { return std::to_string(groups.groups); });
    table.add("GPUs in each",
              [](GroupKind, const KindFacts& groups) { return std::to_string(groups.size); });
    table.add("over the network", over_network);
    add_edges(tiers, table);
    add_spread(tiers, table);
    table.add("communication, s a step",
              [&facts](GroupKind kind, const KindFacts&) { return time_cell(facts, kind); });
    table.print(out);
    if (facts[GroupKind::kTp].split > 0) {
        out << "(!) harms: a TP group talks in every layer and belongs inside one NVLink domain\n";
    }
    out << '\n';
}

}  // namespace yardmaster::cli
