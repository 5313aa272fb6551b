#include "cli/placement_criteria.hpp"

#include "cli/words.hpp"

namespace yardmaster::cli {

std::vector<Criterion> criteria_of(const PlacementScore& score) {
    const auto one = [](double value) { return std::vector<double>{value}; };
    return {
        {"weight_use",
         "nodes by weight, heaviest first",
         {score.weight_use.begin(), score.weight_use.end()}},
        {"split_quanta", "TP groups without a domain", one(score.split_quanta)},
        {"separate_fabrics", "further separate fabrics", one(score.separate_fabrics)},
        {"comm_cost",
         "communication that placement moves, s",
         one(score.comm_cost),
         score.separate_fabrics > 0 ? "no link" : ""},
        {"soft_degraded", "soft-degraded nodes", one(score.soft_degraded)},
        {"leaf_groups", "leaf groups touched", one(score.leaf_groups)},
        {"imbalance", "imbalance of leaf groups", one(score.imbalance)},
        {"fresh_nodes", "nodes not used by other jobs", one(score.fresh_nodes)},
        {"broken_domains", "whole free domains entered", one(score.broken_domains)},
        {"broken_leaf_groups", "whole free leaf groups entered", one(score.broken_leaf_groups)},
        {"leftover_nodes", "free nodes left beside it", one(score.leftover_nodes)},
    };
}

std::string criterion_text(const Criterion& criterion) {
    if (!criterion.text.empty()) {
        return criterion.text;
    }
    std::vector<std::string> parts;
    for (double value : criterion.value) {
        parts.push_back(number(value));
    }
    return parts.empty() ? "-" : join(parts, "/");
}

}  // namespace yardmaster::cli
