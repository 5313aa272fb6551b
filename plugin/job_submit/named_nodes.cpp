#include "plugin/job_submit/named_nodes.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

std::string_view text_of(const char* text) {
    return text == nullptr ? "" : text;
}

/// "--nodelist=a and --exclude=b", of what is given; "" when neither is.
std::string options_of(const ym_submission& submission) {
    std::string options;
    for (const auto& [option, value] : {std::pair{"--nodelist=", text_of(submission.nodelist)},
                                        std::pair{"--exclude=", text_of(submission.exclude)}}) {
        if (!value.empty()) {
            options += (options.empty() ? "" : " and ") + (option + std::string(value));
        }
    }
    return options;
}

std::vector<NodeOffer> whole_fabric(const Fabric& fabric, std::uint32_t gpus_per_node) {
    std::vector<NodeOffer> offers(fabric.nodes().size());
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const NodeIndex node{static_cast<std::uint32_t>(i)};
        offers[i].usable = fabric.type_of(node).gpus >= gpus_per_node;
    }
    return offers;
}

void exclude(const Fabric& fabric, std::string_view list, std::vector<NodeOffer>& offers) {
    const auto names = expand_hostlist(list);
    if (!names) {
        return;
    }
    for (const std::string& name : *names) {
        if (const auto node = fabric.find(name)) {
            offers[raw(*node)].usable = false;
        }
    }
}

/// Marks the nodes of --nodelist; returns one that the fabric file does not name, or "".
std::string require(const Fabric& fabric,
                    const std::vector<std::string>& names,
                    std::vector<NodeOffer>& offers) {
    for (const std::string& name : names) {
        const auto node = fabric.find(name);
        if (!node) {
            return name;
        }
        offers[raw(*node)].required = true;
    }
    return "";
}

bool for_slurm_to_refuse(const std::vector<NodeOffer>& offers, std::uint32_t nodes) {
    const auto required = std::count_if(
        offers.begin(), offers.end(), [](const auto& offer) { return offer.required; });
    return required > nodes || std::any_of(offers.begin(), offers.end(), [](const auto& offer) {
               return offer.required && !offer.usable;
           });
}

}  // namespace

Status check_named_nodes(const Hints& hints,
                         const ym_submission& submission,
                         const JobShape& shape,
                         const LoadedFabric& loaded) {
    const Fabric& fabric = loaded.fabric;
    const std::string options = options_of(submission);
    const auto names = expand_hostlist(text_of(submission.nodelist));
    if (!hints.hard() || shape.nodes == 0 || options.empty() || !names) {
        return Status::ok();
    }
    PlacementRequest request;
    request.nodes = shape.nodes;
    request.gpus_per_node = shape.gpus_per_node;
    request.hints = hints;
    request.offers = whole_fabric(fabric, shape.gpus_per_node);
    exclude(fabric, text_of(submission.exclude), request.offers);
    if (const std::string unknown = require(fabric, *names, request.offers); !unknown.empty()) {
        return {ErrorCode::kInfeasible,
                hints.to_string() + ": node " + unknown +
                    " of --nodelist is not in the cluster's fabric file, so the hint cannot be "
                    "kept there; name other nodes, or leave the hint away"};
    }
    if (for_slurm_to_refuse(request.offers, shape.nodes)) {
        return Status::ok();
    }
    PlacementLimits one;
    one.max_candidates = 1;
    if (loaded.placer.propose(request, one)) {
        return Status::ok();
    }
    return {ErrorCode::kInfeasible,
            hints.to_string() + ": no nodes here keep it with " + options +
                ", even when all are free; name other nodes, or leave the hint away"};
}

}  // namespace yardmaster
