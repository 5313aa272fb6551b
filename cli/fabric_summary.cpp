#include "cli/fabric_summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// Smallest and largest of several counts: "4", or "16-18".
struct Range {
    std::size_t low = SIZE_MAX;
    std::size_t high = 0;
    void add(std::size_t value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    std::string text() const {
        return low == high ? std::to_string(low) : std::to_string(low) + "-" + std::to_string(high);
    }
};

struct Tier {
    std::size_t count = 0;
    Range members;  ///< nodes of a leaf group, children of any other unit
    std::set<double> oversubscription;
};

std::map<std::uint32_t, Tier> tiers_of(const Fabric& fabric) {
    std::map<std::uint32_t, Tier> tiers;
    for (const SwitchUnit& unit : fabric.units()) {
        Tier& tier = tiers[unit.tier];
        ++tier.count;
        tier.members.add(unit.children.empty() ? unit.nodes.size() : unit.children.size());
        tier.oversubscription.insert(unit.oversubscription);
    }
    return tiers;
}

std::vector<std::size_t> nodes_per_type(const Fabric& fabric) {
    std::vector<std::size_t> counts(fabric.types().size());
    for (const FabricNode& node : fabric.nodes()) {
        ++counts[node.type];
    }
    return counts;
}

std::string rails_text(const NodeType& type) {
    if (type.rails.empty()) {
        return "no rails";
    }
    std::set<std::string> rates;
    for (const Rail& rail : type.rails) {
        rates.insert(number(rail.gbps));
    }
    return count_of(type.rails.size(), "rail") + " of " + join({rates.begin(), rates.end()}, "/") +
           " Gb/s";
}

void print_types(const Fabric& fabric, std::ostream& out) {
    const auto counts = nodes_per_type(fabric);
    Table table({"type", "nodes", "GPUs each", "NVLink", "rails"});
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const NodeType& type = fabric.types()[i];
        table.add({type.name,
                   std::to_string(counts[i]),
                   std::to_string(type.gpus),
                   type.nvlink_gigabytes_per_s > 0 ? number(type.nvlink_gigabytes_per_s) + " GB/s"
                                                   : "none",
                   rails_text(type)});
    }
    table.print(out);
}

void print_domains(const Fabric& fabric, std::ostream& out) {
    std::size_t shared = 0;
    Range sizes;
    for (const NvlinkDomain& domain : fabric.domains()) {
        if (domain.nodes.size() > 1) {
            ++shared;
            sizes.add(domain.nodes.size());
        }
    }
    out << "\nNVLink domains: " << fabric.domains().size() << ", the largest with "
        << count_of(fabric.largest_domain_gpus(), "GPU");
    if (shared > 0) {
        out << "; " << shared << " of several nodes (" << sizes.text() << " each)";
    }
    out << "\n\n";
}

void print_tiers(const Fabric& fabric, std::ostream& out) {
    Table table({"tier", "units", "members each", "oversubscription"});
    for (const auto& [tier, facts] : tiers_of(fabric)) {
        std::vector<std::string> ratios;
        for (double ratio : facts.oversubscription) {
            ratios.push_back(number(ratio) + ":1");
        }
        table.add({tier_name(tier),
                   std::to_string(facts.count),
                   facts.members.text() + (tier == 0 ? " nodes" : " units"),
                   join(ratios)});
    }
    table.empty() ? void(out << "no switches: every node counts as equally far\n")
                  : table.print(out);
}

}  // namespace

void print_summary(const Fabric& fabric, std::ostream& out) {
    print_types(fabric, out);
    print_domains(fabric, out);
    print_tiers(fabric, out);
}

JsonValue summary_to_json(const Fabric& fabric) {
    const auto counts = nodes_per_type(fabric);
    JsonValue types = JsonValue::array();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        JsonValue type = JsonValue::object();
        type.set("name", fabric.types()[i].name)
            .set("nodes", counts[i])
            .set("gpus_per_node", fabric.types()[i].gpus);
        types.append(std::move(type));
    }
    JsonValue tiers = JsonValue::array();
    for (const auto& [tier, facts] : tiers_of(fabric)) {
        JsonValue entry = JsonValue::object();
        entry.set("tier", tier)
            .set("name", tier_name(tier))
            .set("units", facts.count)
            .set("oversubscription", json_array_of(facts.oversubscription));
        tiers.append(std::move(entry));
    }
    JsonValue json = JsonValue::object();
    json.set("nodes", fabric.nodes().size())
        .set("types", std::move(types))
        .set("nvlink_domains", fabric.domains().size())
        .set("largest_domain_gpus", fabric.largest_domain_gpus())
        .set("tiers", std::move(tiers));
    return json;
}

}  // namespace yardmaster::cli
