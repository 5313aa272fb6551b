#include <map>
#include <set>

#include "cli/fabric_findings.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// One kind of group ("NVLink domain", "pod") whose members should stand together.
struct GroupKind {
    std::string noun;
    std::vector<std::optional<std::size_t>> group_of;  ///< [NodeIndex]
    std::vector<std::string> names;                    ///< [group]
};

GroupKind domain_kind(const Fabric& fabric) {
    GroupKind kind{"NVLink domain", {}, {}};
    for (const FabricNode& node : fabric.nodes()) {
        kind.group_of.push_back(raw(node.domain));
    }
    for (const NvlinkDomain& domain : fabric.domains()) {
        kind.names.push_back(domain.name);
    }
    return kind;
}

GroupKind tier_kind(const Fabric& fabric, std::uint32_t tier) {
    GroupKind kind{tier_name(tier), {}, {}};
    for (const FabricNode& node : fabric.nodes()) {
        const auto unit = node.leaf ? fabric.ancestor(*node.leaf, tier) : std::nullopt;
        kind.group_of.push_back(unit ? std::optional(raw(*unit)) : std::nullopt);
    }
    for (const SwitchUnit& unit : fabric.units()) {
        kind.names.push_back(unit.name);
    }
    return kind;
}

/// How many pieces the order cuts each group into: 1 where its nodes stand together.
std::map<std::size_t, std::uint32_t> pieces(const GroupKind& kind,
                                            const std::vector<NodeIndex>& order) {
    std::map<std::size_t, std::uint32_t> count;
    std::optional<std::size_t> last;
    for (NodeIndex node : order) {
        const auto group = kind.group_of[raw(node)];
        if (group && group != last) {
            ++count[*group];
        }
        last = group;
    }
    return count;
}

void check_kind(const GroupKind& kind,
                const std::vector<NodeIndex>& order,
                const std::string& source,
                std::vector<FabricFinding>& findings) {
    const auto counts = pieces(kind, order);
    std::uint32_t cut = 0;
    std::size_t worst = 0;
    std::uint32_t most = 1;
    for (const auto& [group, count] : counts) {
        cut += count > 1 ? 1 : 0;
        if (count > most) {
            most = count;
            worst = group;
        }
    }
    if (cut > 0) {
        findings.push_back(
            {true,
             source + " cuts " + std::to_string(cut) + " of " + count_of(counts.size(), kind.noun) +
                 " into pieces (" + kind.names[worst] + " into " + std::to_string(most) +
                 "), so ranks of one job hop back and forth; `yardmaster fabric export` writes "
                 "what mends it, `yardmaster ranks` orders a single job"});
    }
}

}  // namespace

std::vector<FabricFinding> check_node_order(const Fabric& fabric,
                                            const std::vector<NodeIndex>& order,
                                            const std::string& source) {
    std::vector<FabricFinding> findings;
    check_kind(domain_kind(fabric), order, source, findings);
    std::set<std::uint32_t> tiers;
    for (const SwitchUnit& unit : fabric.units()) {
        tiers.insert(unit.tier);
    }
    for (std::uint32_t tier : tiers) {
        check_kind(tier_kind(fabric, tier), order, source, findings);
    }
    return findings;
}

}  // namespace yardmaster::cli
