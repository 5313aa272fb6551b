// Compares the placer with an optimum found by trying every set in every order, on thousands of
// small random fabrics. The cost is that of StepModel, which shares no code with the placer's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "tests/topology/random_case.hpp"
#include "tests/topology/step_model.hpp"
#include "topology/placer.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster {
namespace {

using testing_support::CaseRules;
using testing_support::RandomCase;
using testing_support::StepModel;
using Set = std::vector<NodeIndex>;

/// Nodes that can stand for each other in every respect.
struct NodeClass {
    std::vector<NodeIndex> nodes;
    bool required = false;
};

std::size_t root_of(const Fabric& fabric, NodeIndex node) {
    std::size_t root = fabric.units().size();  // all nodes below no switch
    for (auto unit = fabric.node(node).leaf; unit; unit = fabric.unit(*unit).parent) {
        root = raw(*unit);
    }
    return root;
}

std::vector<NodeClass> classes_of(const Fabric& fabric, const PlacementRequest& request) {
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

std::vector<std::uint32_t> weight_use(const PlacementRequest& request, const Set& set) {
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

bool allowed(const Fabric& fabric, const PlacementRequest& request, const Set& set) {
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

std::uint32_t separate_fabrics(const Fabric& fabric, const Set& set) {
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

    /// The least cost of a set over all orders of its quanta, which are cut from places: nodes of
    /// one NVLink domain, or alike single ones.
    double cost_of(const Set& set) {
        std::map<std::vector<std::size_t>, Set> places;
        for (NodeIndex n : set) {
            const FabricNode& node = fabric_.node(n);
            const bool shared = fabric_.domain(node.domain).nodes.size() > 1;
            const std::size_t leaf = node.leaf ? 1 + raw(*node.leaf) : 0;
            const bool alone = !node.exceptions.empty() || !node.leaf;
            places[{shared && quantum_ > 1 ? 0 : leaf,
                    shared ? 1 + raw(node.domain) : 0,
                    alone && quantum_ == 1 ? 1 + raw(n) : 0}]
                .push_back(n);
        }
        std::vector<Set> from;
        std::vector<std::uint32_t> order;
        for (const auto& [key, nodes] : places) {
            order.insert(
                order.end(), nodes.size() / quantum_, static_cast<std::uint32_t>(from.size()));
            from.push_back(nodes);
        }
        double least = 1e300;
        do {
            least = std::min(least, model_.cost(nodes_of(from, order)));
        } while (std::next_permutation(order.begin(), order.end()));
        return least;
    }

  private:
    Set nodes_of(const std::vector<Set>& from, const std::vector<std::uint32_t>& order) const {
        std::vector<std::uint32_t> used(from.size(), 0);
        Set nodes;
        for (std::uint32_t place : order) {
            for (std::uint32_t i = 0; i < quantum_; ++i) {
                nodes.push_back(from[place][used[place]++]);
            }
        }
        return nodes;
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
        Set set;
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
};

void check_candidates(const Fabric& fabric,
                      const PlacementRequest& request,
                      const std::vector<Candidate>& candidates) {
    std::set<Set> seen;
    for (const Candidate& candidate : candidates) {
        EXPECT_EQ(candidate.nodes.size(), request.nodes);
        EXPECT_TRUE(std::is_sorted(candidate.nodes.begin(), candidate.nodes.end()));
        EXPECT_EQ(std::adjacent_find(candidate.nodes.begin(), candidate.nodes.end()),
                  candidate.nodes.end())
            << "a node twice";
        EXPECT_TRUE(seen.insert(candidate.nodes).second) << "twice the same set";
        EXPECT_TRUE(allowed(fabric, request, candidate.nodes));
        EXPECT_EQ(candidate.score.split_quanta, 0u);
        EXPECT_EQ(candidate.score.weight_use, weight_use(request, candidate.nodes));
        EXPECT_EQ(candidate.score.separate_fabrics, separate_fabrics(fabric, candidate.nodes));
    }
}

struct Tally {
    int cases = 0;
    int placed = 0;
    int dearer = 0;    // than the optimum at all
    int far = 0;       // by more than 1 %
    double worst = 1;  // ratio of costs
    unsigned worst_seed = 0;
    int rank_dearer = 0;  // rank plan of the set beside the best order
    double rank_worst = 1;
    unsigned rank_worst_seed = 0;
    void print(const char* name) const {
        std::printf(
            "%s: placed %d of %d; above the optimum %d, by more than 1 %% %d, at worst x %.4f "
            "(seed "
            "%u); rank plan above the best order %d, at worst x %.4f (seed %u)\n",
            name,
            placed,
            cases,
            dearer,
            far,
            worst,
            worst_seed,
            rank_dearer,
            rank_worst,
            rank_worst_seed);
    }
};

void compare(unsigned seed, const CaseRules& rules, Tally& tally) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCase random(seed, rules);
    const Fabric fabric = random.fabric();
    const CostWeights weights = random.weights();
    const PlacementRequest request = random.request(fabric);
    const JobShape shape{request.nodes, request.gpus_per_node};
    const auto sizes = derive_parallelism(request.hints, shape);
    ASSERT_TRUE(sizes) << sizes.status().message();
    const StepModel model(fabric, request.gpus_per_node, *sizes, weights);
    Exhaustive exhaustive(fabric, request, model);
    const auto best = exhaustive.best();
    const Placer placer(fabric, weights);
    const auto candidates = placer.propose(request, {8, Patience::kPerson});
    tally.cases += 1;
    EXPECT_EQ(candidates.is_ok(), best.has_value()) << candidates.status().message();
    if (!best || !candidates) {
        EXPECT_EQ(candidates.status().code(), ErrorCode::kUnavailable);
        return;
    }
    tally.placed += 1;
    check_candidates(fabric, request, *candidates);
    const Candidate& first = candidates->front();
    EXPECT_EQ(first.score.weight_use, best->weights);
    EXPECT_EQ(first.score.separate_fabrics, best->separate);
    const double ours = exhaustive.cost_of(first.nodes);
    const double ratio = best->cost > 0 ? ours / best->cost : 1;
    tally.dearer += ratio > 1 + 1e-9 ? 1 : 0;
    tally.far += ratio > 1.01 ? 1 : 0;
    if (ratio > tally.worst) {
        tally.worst = ratio;
        tally.worst_seed = seed;
    }
    const auto plan =
        plan_ranks(fabric, first.nodes, request.gpus_per_node, request.hints, weights);
    ASSERT_TRUE(plan);
    const double ranked = ours > 0 ? model.cost(plan->order) / ours : 1;
    tally.rank_dearer += ranked > 1 + 1e-9 ? 1 : 0;
    if (ranked > tally.rank_worst) {
        tally.rank_worst = ranked;
        tally.rank_worst_seed = seed;
    }
}

/// YM_MANY_CASES=N makes N times as many cases, for a run by hand. Such runs fail by now: about one
/// case in 200 with exceptions, and with spanning domains, is further than 1 % from the optimum.
void run(const char* name, unsigned first, unsigned count, const CaseRules& rules) {
    const char* many = std::getenv("YM_MANY_CASES");
    count *= many != nullptr ? static_cast<unsigned>(std::atoi(many)) : 1;
    Tally tally;
    for (unsigned seed = first; seed < first + count && !testing::Test::HasFatalFailure(); ++seed) {
        compare(seed, rules, tally);
    }
    tally.print(name);
    EXPECT_GT(tally.placed, tally.cases / 3) << "the random cases are not worth much";
    EXPECT_EQ(tally.far, 0) << "sets that cost over 1 % more than the best";
    // Rails of single GPUs count as a grade of their node when quanta are put in order.
    EXPECT_LE(tally.rank_dearer, tally.placed / 100);
}

TEST(PlacerExhaustive, RingsOverAllNodes) {
    CaseRules rules;
    rules.parallel = false;
    run("rings", 1, 800, rules);
}

TEST(PlacerExhaustive, AllHints) {
    run("all hints", 10001, 1000, {});
}

TEST(PlacerExhaustive, OneTree) {
    CaseRules rules;
    rules.several_roots = false;
    rules.leaf_hint = false;
    rules.most_nodes = 14;
    run("one tree", 20001, 700, rules);
}

TEST(PlacerExhaustive, WeightClasses) {
    CaseRules rules;
    rules.classes = true;
    run("weight classes", 30001, 600, rules);
}

TEST(PlacerExhaustive, ExceptionsOfSingleNodes) {
    CaseRules rules;
    rules.exceptions = true;
    run("exceptions", 40001, 600, rules);
}

TEST(PlacerExhaustive, SpanningDomains) {
    CaseRules rules;
    rules.spanning = true;
    run("spanning domains", 50001, 600, rules);
}

}  // namespace
}  // namespace yardmaster
