// Compares the placer with an optimum found by trying every set, on thousands of small random
// fabrics. The cost is written down here anew, from the description in placer.hpp, on purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/topology/fabric_maker.hpp"
#include "topology/placer.hpp"

namespace yardmaster {
namespace {

using Set = std::vector<NodeIndex>;

bool below(const Fabric& fabric, NodeIndex node, UnitIndex unit) {
    for (auto at = fabric.node(node).leaf; at; at = fabric.unit(*at).parent) {
        if (*at == unit) {
            return true;
        }
    }
    return false;
}

double expected_cost(const Fabric& fabric, const Set& set) {
    double cost = 0;
    for (std::uint32_t u = 0; u < fabric.units().size(); ++u) {
        const auto inside = static_cast<std::size_t>(std::count_if(
            set.begin(), set.end(), [&](NodeIndex n) { return below(fabric, n, UnitIndex{u}); }));
        if (inside > 0 && inside < set.size()) {
            const SwitchUnit& unit = fabric.unit(UnitIndex{u});
            cost += unit.parent ? unit.oversubscription - 1 + 0.125 : 1e6;
        }
    }
    std::map<std::pair<DomainIndex, std::optional<UnitIndex>>, std::size_t> parts;
    for (NodeIndex n : set) {
        parts[{fabric.node(n).domain, fabric.node(n).leaf}] += 1;
    }
    for (const auto& [part, count] : parts) {
        const bool multi = fabric.domain(part.first).nodes.size() > 1;
        if (count < set.size()) {
            cost += !part.second ? 1e6 : multi ? 1 : 0;
        }
    }
    return cost;
}

std::uint32_t expected_imbalance(const Fabric& fabric, const Set& set) {
    std::map<std::pair<bool, std::size_t>, std::uint32_t> groups;
    for (NodeIndex n : set) {
        const auto leaf = fabric.node(n).leaf;
        groups[{leaf.has_value(), leaf ? raw(*leaf) : raw(fabric.node(n).domain)}] += 1;
    }
    std::uint32_t most = 0;
    std::uint32_t least = UINT32_MAX;
    for (const auto& [group, count] : groups) {
        most = std::max(most, count);
        least = std::min(least, count);
    }
    return most - least;
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
    for (NodeIndex n : set) {
        const NodeOffer& offer = request.offers[raw(n)];
        if (!offer.usable && !offer.required) {
            return false;
        }
        domains[fabric.node(n).domain] += 1;
        leaves.insert(fabric.node(n).leaf);
    }
    for (std::uint32_t i = 0; i < request.offers.size(); ++i) {
        if (request.offers[i].required &&
            std::find(set.begin(), set.end(), NodeIndex{i}) == set.end()) {
            return false;
        }
    }
    const bool one_leaf = leaves.size() == 1 && leaves.begin()->has_value();
    return (!request.hints.leaf || one_leaf) &&
           std::all_of(domains.begin(), domains.end(), [&](const auto& domain) {
               return domain.second % quantum == 0;
           });
}

struct Best {
    std::vector<std::uint32_t> weights;
    double cost = 0;
    std::uint32_t imbalance = 0;
    auto operator<=>(const Best&) const = default;
};

std::optional<Best> exhaustive(const Fabric& fabric, const PlacementRequest& request) {
    const std::size_t size = request.offers.size();
    std::optional<Best> best;
    for (std::uint32_t bits = 0; bits < (1u << size); ++bits) {
        if (static_cast<std::uint32_t>(__builtin_popcount(bits)) != request.nodes) {
            continue;
        }
        Set set;
        for (std::uint32_t i = 0; i < size; ++i) {
            if ((bits >> i & 1) != 0) {
                set.push_back(NodeIndex{i});
            }
        }
        if (!allowed(fabric, request, set)) {
            continue;
        }
        const Best here{
            weight_use(request, set), expected_cost(fabric, set), expected_imbalance(fabric, set)};
        if (!best || here < *best) {
            best = here;
        }
    }
    return best;
}

class RandomCase {
  public:
    explicit RandomCase(unsigned seed) : random_(seed) {}

    std::uint32_t pick(std::uint32_t low, std::uint32_t high) {
        return std::uniform_int_distribution<std::uint32_t>(low, high)(random_);
    }
    bool chance(std::uint32_t percent) { return pick(1, 100) <= percent; }

    /// Up to `limit` nodes in trees of up to three tiers; domains of 1 to 5 nodes.
    Fabric fabric(std::uint32_t limit, bool spanning) {
        testing_support::FabricMaker maker(4);
        left_ = limit;
        spare_.clear();
        for (std::uint32_t root = pick(1, 3); root > 0 && left_ > 0; --root) {
            if (chance(30)) {
                leaf(maker, std::nullopt, spanning);
                continue;
            }
            const UnitIndex core = maker.unit();
            for (std::uint32_t child = pick(1, 3); child > 0; --child) {
                if (chance(40)) {
                    leaf(maker, core, spanning);
                    continue;
                }
                const UnitIndex pod = maker.unit(core, over());
                for (std::uint32_t leaves = pick(1, 3); leaves > 0; --leaves) {
                    leaf(maker, pod, spanning);
                }
            }
        }
        if (chance(15)) {
            domains(maker, maker.nodes(pick(1, 2)), spanning);
        }
        if (spanning && spare_.size() > 1) {
            maker.domain(spare_);
        }
        return maker.make();
    }

    PlacementRequest request(const Fabric& fabric, bool classes) {
        PlacementRequest request;
        request.gpus_per_node = 4;
        const std::uint32_t quantum = chance(50) ? 1 : pick(1, 3);
        request.hints.tp = 4 * quantum;
        request.nodes = quantum * pick(1, std::max(1u, 8 / quantum));
        request.hints.leaf = chance(15);
        const std::uint32_t usable = pick(50, 100);
        for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
            NodeOffer offer;
            offer.usable = chance(usable);
            offer.required = offer.usable && chance(4);
            offer.part_used = chance(20);
            offer.weight_class = classes ? static_cast<std::uint16_t>(pick(0, 2)) : 0;
            request.offers.push_back(offer);
        }
        return request;
    }

  private:
    double over() { return 1 + 0.5 * pick(0, 4); }

    void domains(testing_support::FabricMaker& maker,
                 std::vector<std::string> names,
                 bool spanning) {
        while (!names.empty()) {
            const std::size_t size = std::min<std::size_t>(names.size(), pick(1, 5));
            const std::vector<std::string> part(names.begin(),
                                                names.begin() + static_cast<std::ptrdiff_t>(size));
            names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(size));
            if (spanning && chance(40)) {
                spare_.insert(spare_.end(), part.begin(), part.end());
            } else if (size > 1 || chance(20)) {
                maker.domain(part);
            }
        }
    }
    void leaf(testing_support::FabricMaker& maker, std::optional<UnitIndex> parent, bool spanning) {
        // A leaf group cannot be empty, so the last ones may go over the limit by one each.
        const std::uint32_t size = std::max(1u, std::min(left_, pick(1, 5)));
        left_ -= std::min(left_, size);
        domains(maker, maker.leaf(parent, size, over()), spanning);
    }

    std::mt19937 random_;
    std::uint32_t left_ = 0;
    std::vector<std::string> spare_;
};

void check_candidates(const Fabric& fabric,
                      const PlacementRequest& request,
                      const std::vector<Candidate>& candidates) {
    std::set<Set> seen;
    for (const Candidate& candidate : candidates) {
        EXPECT_EQ(candidate.nodes.size(), request.nodes);
        EXPECT_TRUE(std::is_sorted(candidate.nodes.begin(), candidate.nodes.end()));
        EXPECT_TRUE(seen.insert(candidate.nodes).second) << "twice the same set";
        EXPECT_TRUE(allowed(fabric, request, candidate.nodes));
        EXPECT_DOUBLE_EQ(candidate.score.comm_cost, expected_cost(fabric, candidate.nodes));
        EXPECT_EQ(candidate.score.imbalance, expected_imbalance(fabric, candidate.nodes));
        EXPECT_EQ(candidate.score.weight_use, weight_use(request, candidate.nodes));
    }
}

struct Tally {
    int cases = 0;
    int placed = 0;
    int less_balanced = 0;
};

void compare(unsigned seed, bool classes, bool spanning, Tally& tally) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCase random(seed);
    const Fabric fabric = random.fabric(11, spanning);
    if (fabric.nodes().size() > 14) {
        return;
    }
    const PlacementRequest request = random.request(fabric, classes);
    const auto best = exhaustive(fabric, request);
    const auto candidates =
        Placer(fabric).propose(request, {8, std::chrono::microseconds(10'000'000)});
    tally.cases += 1;
    ASSERT_EQ(candidates.is_ok(), best.has_value()) << candidates.status().message();
    if (!best) {
        EXPECT_EQ(candidates.status().code(), ErrorCode::kUnavailable);
        return;
    }
    tally.placed += 1;
    check_candidates(fabric, request, *candidates);
    const PlacementScore& score = candidates->front().score;
    const bool multi = quantum_nodes(request.hints, request.gpus_per_node) > 1;
    if (spanning && multi) {
        return;  // where such a domain's quanta land is decided before the cost of their cut is
                 // seen
    }
    EXPECT_EQ(score.weight_use, best->weights);
    EXPECT_DOUBLE_EQ(score.comm_cost, best->cost);
    tally.less_balanced += score.imbalance > best->imbalance ? 1 : 0;
}

TEST(PlacerExhaustive, CostIsTheLeastThereIs) {
    Tally tally;
    for (unsigned seed = 1; seed <= 3000 && !testing::Test::HasFailure(); ++seed) {
        compare(seed, false, false, tally);
    }
    RecordProperty("less_balanced", tally.less_balanced);
    EXPECT_GT(tally.placed, tally.cases / 3) << "the random cases are not worth much";
    std::printf("placed %d of %d, %d less balanced than possible\n",
                tally.placed,
                tally.cases,
                tally.less_balanced);
}

/// Trees of many pods, where the cost depends on the touched leaf groups only: every set of these
/// is tried.
TEST(PlacerExhaustive, ManyPodsAreSearchedCompletely) {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomCase random(seed);
        testing_support::FabricMaker maker;
        const UnitIndex core = maker.unit();
        std::vector<std::uint32_t> sizes, pods;
        std::vector<double> leaf_cost, pod_cost;
        for (std::uint32_t pod = 0; pod < 5; ++pod) {
            const double over = 1 + 0.25 * random.pick(0, 12);
            const UnitIndex unit = maker.unit(core, over);
            pod_cost.push_back(over - 1 + 0.125);
            for (std::uint32_t leaves = random.pick(1, 3); leaves > 0; --leaves) {
                const double leaf_over = random.chance(70) ? 1 : 1.25;
                sizes.push_back(random.pick(1, 12));
                pods.push_back(pod);
                leaf_cost.push_back(leaf_over - 1 + 0.125);
                maker.leaf(unit, sizes.back(), leaf_over);
            }
        }
        const Fabric fabric = maker.make();
        PlacementRequest request;
        request.gpus_per_node = 8;
        request.offers.assign(fabric.nodes().size(), {true, false, false, 0});
        const auto total = static_cast<std::uint32_t>(fabric.nodes().size());
        request.nodes = random.pick(std::min(total, 12u), total);

        double best = 1e9;
        for (std::uint32_t bits = 1; bits < (1u << sizes.size()); ++bits) {
            std::uint32_t nodes = 0;
            std::uint32_t touched = 0;
            double cost = 0;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                if ((bits >> i & 1) != 0) {
                    nodes += sizes[i];
                    cost += leaf_cost[i];
                    touched |= 1u << pods[i];
                }
            }
            for (std::size_t pod = 0; pod < pod_cost.size() && (touched & (touched - 1)) != 0;
                 ++pod) {
                cost += (touched >> pod & 1) != 0 ? pod_cost[pod] : 0;
            }
            if ((bits & (bits - 1)) == 0) {
                cost = 0;
            }
            best = nodes >= request.nodes ? std::min(best, cost) : best;
        }
        const auto found = Placer(fabric).propose(request, {1, std::chrono::seconds(10)});
        ASSERT_TRUE(found) << found.status().message();
        EXPECT_DOUBLE_EQ(found->front().score.comm_cost, best);
    }
}

TEST(PlacerExhaustive, LightestClassesComeFirst) {
    Tally tally;
    for (unsigned seed = 10001; seed <= 12000 && !testing::Test::HasFailure(); ++seed) {
        compare(seed, true, false, tally);
    }
    EXPECT_GT(tally.placed, tally.cases / 3);
    std::printf("placed %d of %d, %d less balanced than possible\n",
                tally.placed,
                tally.cases,
                tally.less_balanced);
}

TEST(PlacerExhaustive, SpanningDomainsAreUsedWithoutSplittingGroups) {
    Tally tally;
    for (unsigned seed = 20001; seed <= 22000 && !testing::Test::HasFailure(); ++seed) {
        compare(seed, seed % 2 == 0, true, tally);
    }
    EXPECT_GT(tally.placed, tally.cases / 3);
    std::printf("placed %d of %d, %d less balanced than possible\n",
                tally.placed,
                tally.cases,
                tally.less_balanced);
}

}  // namespace
}  // namespace yardmaster
