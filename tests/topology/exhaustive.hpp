// The best set for a job, found by trying every set in every order. Its cost is that of StepModel,
// so nothing here shares code with the placer.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/topology/step_model.hpp"
#include "topology/placer.hpp"

namespace yardmaster::testing_support {

using NodeSet = std::vector<NodeIndex>;

/// Nodes that can stand for each other in every respect.
struct NodeClass {
    std::vector<NodeIndex> nodes;
    bool required = false;
};

inline std::size_t root_of(const Fabric& fabric, NodeIndex node) {
    std::size_t root = fabric.units().size();  // all nodes below no switch
    for (auto unit = fabric.node(node).leaf; unit; unit = fabric.unit(*unit).parent) {
        root = raw(*unit);
    }
    return root;
}

inline std::vector<NodeClass> classes_of(const Fabric& fabric, const PlacementRequest& request) {
    std::map<std::vector<std::size_t>, NodeClass> classes;
    for (std::uint32_t i = 0; i < request.offers.size(); ++i) {
        const NodeIndex node{i};
        const NodeOffer& offer = request.offers[i];
        if (!offer.usable && !offer.required) {
            continue;
        }
        const FabricNode& here = fabric.node(node);
        const bool alone = !here.exceptions.empty() || offer.required;
        const bool shared = fabric.domain(here.domain).nodes.size() > 1;
        NodeClass& found = classes[{here.leaf ? 1 + raw(*here.leaf) : 0,
                                    shared || !here.leaf ? 1 + raw(here.domain) : 0,
                                    alone ? 1 + std::size_t{i} : 0,
                                    offer.weight_class}];
        found.nodes.push_back(node);
        found.required = offer.required;
    }
    std::vector<NodeClass> result;
    for (auto& [key, value] : classes) {
        result.push_back(std::move(value));
    }
    return result;
}

inline std::vector<std::uint32_t> weight_use(const PlacementRequest& request, const NodeSet& set) {
    std::map<std::uint32_t, std::uint32_t, std::greater<>> use;
    for (const NodeOffer& offer : request.offers) {
        use[offer.weight_class] += 0;
    }
    for (NodeIndex n : set) {
        use[request.offers[raw(n)].weight_class] += 1;
    }
    std::vector<std::uint32_t> result;
    for (const auto& [weight, count] : use) {
        result.push_back(count);
    }
    return result;
}

inline bool allowed(const Fabric& fabric, const PlacementRequest& request, const NodeSet& set) {
    const std::uint32_t quantum = quantum_nodes(request.hints, request.gpus_per_node);
    std::map<DomainIndex, std::uint32_t> domains;
    std::set<std::optional<UnitIndex>> leaves;
    std::set<std::size_t> roots;
    for (NodeIndex n : set) {
        const NodeOffer& offer = request.offers[raw(n)];
        if (!offer.usable && !offer.required) {
            return false;
        }
        domains[fabric.node(n).domain] += 1;
        leaves.insert(fabric.node(n).leaf);
        roots.insert(root_of(fabric, n));
    }
    for (std::uint32_t i = 0; i < request.offers.size(); ++i) {
        if (request.offers[i].required &&
            std::find(set.begin(), set.end(), NodeIndex{i}) == set.end()) {
            return false;
        }
    }
    const bool one_leaf = leaves.size() == 1 && leaves.begin()->has_value();
    return (!request.hints.leaf || one_leaf) && (!request.hints.hard() || roots.size() == 1) &&
           std::all_of(domains.begin(), domains.end(), [&](const auto& domain) {
               return domain.second % quantum == 0;
           });
}

inline std::uint32_t separate_fabrics(const Fabric& fabric, const NodeSet& set) {
    std::set<std::size_t> roots;
    for (NodeIndex n : set) {
        const std::size_t root = root_of(fabric, n);
        const bool none = root == fabric.units().size();
        roots.insert(none ? root + raw(fabric.node(n).domain) : root);
    }
    return static_cast<std::uint32_t>(roots.size()) - 1;
}

struct Best {
    std::vector<std::uint32_t> weights;
    std::uint32_t separate = 0;
    double cost = 0;
};

/// Every multiset of classes, and every order of its quanta.
class Exhaustive {
  public:
    Exhaustive(const Fabric& fabric, const PlacementRequest& request, const StepModel& model)
        : fabric_(fabric),
          request_(request),
          model_(model),
          classes_(classes_of(fabric, request)),
          quantum_(quantum_nodes(request.hints, request.gpus_per_node)) {}

    /// None: no set is allowed.
    std::optional<Best> best() {
        std::vector<std::uint32_t> counts;
        choose(counts, request_.nodes);
        return best_;
    }

    /// The least cost of a set over all orders of its nodes that leave every quantum in one NVLink
    /// domain.
    double cost_of(const NodeSet& set) {
        std::map<std::array<std::size_t, 3>, Kind> kinds;
        for (NodeIndex n : set) {
            const FabricNode& node = fabric_.node(n);
            const bool shared = fabric_.domain(node.domain).nodes.size() > 1;
            const bool alone = !node.exceptions.empty() || !node.leaf;
            Kind& kind = kinds[{shared ? 1 + raw(node.domain) : 0,
                                node.leaf ? 1 + raw(*node.leaf) : 0,
                                alone ? 1 + std::size_t{raw(n)} : 0}];
            kind.domain = node.domain;
            kind.nodes.push_back(n);
        }
        kinds_.clear();
        for (auto& [key, kind] : kinds) {
            kinds_.push_back(std::move(kind));
        }
        order_.clear();
        least_ = 1e300;
        arrange(set.size());
        return least_;
    }

  private:
    /// Nodes of a set that can stand for each other in an order.
    struct Kind {
        DomainIndex domain{};
        NodeSet nodes;
    };

    void arrange(std::size_t left) {
        if (left == 0) {
            least_ = std::min(least_, model_.cost(order_));
            return;
        }
        for (Kind& kind : kinds_) {
            const bool inside = order_.size() % quantum_ != 0;
            if (kind.nodes.empty() ||
                (inside && fabric_.node(order_.back()).domain != kind.domain)) {
                continue;
            }
            order_.push_back(kind.nodes.back());
            kind.nodes.pop_back();
            arrange(left - 1);
            kind.nodes.push_back(order_.back());
            order_.pop_back();
        }
    }

    void choose(std::vector<std::uint32_t>& counts, std::uint32_t left) {
        if (counts.size() == classes_.size()) {
            if (left == 0) {
                take(counts);
            }
            return;
        }
        const auto most = static_cast<std::uint32_t>(classes_[counts.size()].nodes.size());
        for (std::uint32_t count = 0; count <= std::min(left, most); ++count) {
            counts.push_back(count);
            choose(counts, left - count);
            counts.pop_back();
        }
    }

    void take(const std::vector<std::uint32_t>& counts) {
        NodeSet set;
        for (std::uint32_t c = 0; c < counts.size(); ++c) {
            const auto begin = classes_[c].nodes.begin();
            set.insert(set.end(), begin, begin + counts[c]);
        }
        if (!allowed(fabric_, request_, set)) {
            return;
        }
        Best here{weight_use(request_, set), separate_fabrics(fabric_, set), 0};
        if (best_ &&
            std::tie(here.weights, here.separate) > std::tie(best_->weights, best_->separate)) {
            return;
        }
        here.cost = cost_of(set);
        if (!best_ || std::tie(here.weights, here.separate, here.cost) <
                          std::tie(best_->weights, best_->separate, best_->cost)) {
            best_ = here;
        }
    }

    const Fabric& fabric_;
    const PlacementRequest& request_;
    const StepModel& model_;
    const std::vector<NodeClass> classes_;
    const std::uint32_t quantum_;
    std::optional<Best> best_;
    std::vector<Kind> kinds_;  // of the set that is being ordered
    NodeSet order_;            // so far
    double least_ = 0;
};

}  // namespace yardmaster::testing_support
