#include "topology/rank_variables.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_set>

namespace yardmaster {
namespace {

/// The kinds whose places are told: what launchers have options for.
struct ToldKind {
    GroupKind kind;
    std::string_view size, rank, group;
};
constexpr std::array<ToldKind, 5> kToldKinds = {{
    {GroupKind::kTp, "YARDMASTER_TP_SIZE", "YARDMASTER_TP_RANK", "YARDMASTER_TP_GROUP"},
    {GroupKind::kCp, "YARDMASTER_CP_SIZE", "YARDMASTER_CP_RANK", "YARDMASTER_CP_GROUP"},
    {GroupKind::kEp, "YARDMASTER_EP_SIZE", "YARDMASTER_EP_RANK", "YARDMASTER_EP_GROUP"},
    {GroupKind::kDp, "YARDMASTER_DP_SIZE", "YARDMASTER_DP_RANK", "YARDMASTER_DP_GROUP"},
    {GroupKind::kPp, "YARDMASTER_PP_SIZE", "YARDMASTER_PP_RANK", "YARDMASTER_PP_GROUP"},
}};

constexpr std::string_view kRankOrder = "YARDMASTER_RANK_ORDER";
constexpr std::string_view kNnodes = "YARDMASTER_NNODES";
constexpr std::string_view kNodeRank = "YARDMASTER_NODE_RANK";
constexpr std::string_view kMasterAddr = "YARDMASTER_MASTER_ADDR";
constexpr std::string_view kNprocPerNode = "YARDMASTER_NPROC_PER_NODE";
constexpr std::string_view kRank = "YARDMASTER_RANK";
constexpr std::string_view kRail = "YARDMASTER_RAIL";
constexpr std::string_view kRailNic = "YARDMASTER_RAIL_NIC";

constexpr auto kNames = [] {
    std::array<std::string_view, 8 + 3 * kToldKinds.size()> names = {
        kRankOrder, kNnodes, kNodeRank, kMasterAddr, kNprocPerNode, kRank, kRail, kRailNic};
    std::size_t next = 8;
    for (const ToldKind& told : kToldKinds) {
        names[next++] = told.size;
        names[next++] = told.rank;
        names[next++] = told.group;
    }
    return names;
}();

using Variables = std::vector<RankVariable>;

void add(Variables& variables, std::string_view name, std::string value) {
    variables.push_back({std::string(name), std::move(value)});
}

/// One value where all are the same.
std::string list_of(std::size_t count, const std::function<std::string(std::uint32_t)>& value) {
    std::string list = value(0);
    bool same = true;
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::string next = value(i);
        same = same && next == value(0);
        list += "," + next;
    }
    return same ? value(0) : list;
}

/// Places in groups of the processes with local ranks first, ..., first + count - 1.
void add_places(const RankLayout& layout,
                std::uint32_t node_rank,
                std::uint32_t first,
                std::uint32_t count,
                Variables& variables) {
    for (const ToldKind& told : kToldKinds) {
        const auto place = [&](std::uint32_t i) {
            return place_of(*layout.sizes, told.kind, layout.rank(node_rank, first + i));
        };
        add(variables, told.rank, list_of(count, [&](std::uint32_t i) {
                return std::to_string(place(i).position);
            }));
        add(variables, told.group, list_of(count, [&](std::uint32_t i) {
                return std::to_string(place(i).group);
            }));
    }
}

/// The sheet's order without nodes that are not in `wanted`.
std::vector<std::string> restricted(const RankSheet& sheet,
                                    const std::unordered_set<std::string_view>& wanted) {
    std::vector<std::string> nodes;
    for (const std::string& node : sheet.nodes) {
        if (wanted.contains(node)) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

void derive_sizes(const RankSheet& sheet, RankLayout& layout) {
    if (sheet.hints.empty() || layout.gpus_per_node == 0) {
        return;
    }
    const JobShape shape{layout.nnodes, layout.gpus_per_node};
    const auto sizes = derive_parallelism(sheet.hints, shape);
    if (sizes) {
        layout.sizes = *sizes;
    } else {
        layout.no_sizes = sizes.status().message();
    }
}

}  // namespace

std::optional<std::uint32_t> RankLayout::node_rank(std::string_view node) const {
    const auto found = std::find(nodes.begin(), nodes.end(), node);
    return found == nodes.end() ? std::nullopt
                                : std::optional(static_cast<std::uint32_t>(found - nodes.begin()));
}

RankLayout layout_at(const RankSheet& sheet, std::uint32_t nnodes, const std::string& master) {
    RankLayout layout;
    layout.order = sheet.order;
    layout.nnodes = nnodes;
    layout.master = master;
    layout.gpus_per_node = sheet.gpus_per_node;
    derive_sizes(sheet, layout);
    return layout;
}

RankLayout layout_of(const RankSheet& sheet, const std::vector<std::string>& slurm_nodes) {
    std::vector<std::string> nodes = restricted(sheet, {slurm_nodes.begin(), slurm_nodes.end()});
    const bool complete = nodes.size() == slurm_nodes.size();
    if (!complete) {
        nodes = slurm_nodes;
    }
    RankLayout layout = layout_at(
        sheet, static_cast<std::uint32_t>(nodes.size()), nodes.empty() ? "" : nodes.front());
    layout.order = complete ? sheet.order : RankOrder::kSlurm;
    layout.nodes = std::move(nodes);
    return layout;
}

std::span<const std::string_view> rank_variable_names() {
    return kNames;
}

Variables node_variables(const RankLayout& layout, std::uint32_t node_rank) {
    Variables variables;
    add(variables, kRankOrder, std::string(to_string(layout.order)));
    add(variables, kNnodes, std::to_string(layout.nnodes));
    add(variables, kNodeRank, std::to_string(node_rank));
    add(variables, kMasterAddr, layout.master);
    if (layout.gpus_per_node > 0) {
        add(variables, kNprocPerNode, std::to_string(layout.gpus_per_node));
    }
    if (layout.sizes) {
        for (const ToldKind& told : kToldKinds) {
            add(variables, told.size, std::to_string(group_size(*layout.sizes, told.kind)));
        }
    }
    return variables;
}

Variables task_variables(const RankLayout& layout, std::uint32_t node_rank, std::uint32_t local) {
    Variables variables;
    add(variables,
        kRank,
        std::to_string(static_cast<std::uint32_t>(layout.rank(node_rank, local))));
    if (layout.sizes) {
        add_places(layout, node_rank, local, 1, variables);
    }
    return variables;
}

Variables group_variables(const RankLayout& layout, std::uint32_t node_rank) {
    Variables variables;
    if (layout.sizes) {
        add_places(layout, node_rank, 0, layout.gpus_per_node, variables);
    }
    return variables;
}

Variables rail_variables(const RankSheet& sheet,
                         std::string_view node,
                         std::span<const std::uint32_t> gpus) {
    Variables variables;
    if (gpus.empty()) {
        return variables;
    }
    add(variables, kRail, list_of(gpus.size(), [&](std::uint32_t i) {
            return std::to_string(gpus[i]);
        }));
    const auto has_nic = [&](std::uint32_t gpu) { return sheet.nic(node, gpu).has_value(); };
    if (std::any_of(gpus.begin(), gpus.end(), has_nic)) {
        add(variables, kRailNic, list_of(gpus.size(), [&](std::uint32_t i) {
                return sheet.nic(node, gpus[i]).value_or("-");
            }));
    }
    return variables;
}

}  // namespace yardmaster
