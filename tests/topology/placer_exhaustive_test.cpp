// Compares the placer with an optimum found by trying every set in every order, on thousands of
// small random fabrics. The cost is that of StepModel, which shares no code with the placer's.
// `./dev bench optimum` runs more cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/topology/optimum_case.hpp"

namespace yardmaster {
namespace {

using namespace testing_support;

void check_candidates(const Fabric& fabric,
                      const PlacementRequest& request,
                      const std::vector<Candidate>& candidates) {
    std::set<NodeSet> seen;
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

void expect_right(OptimumCase& one) {
    EXPECT_EQ(one.candidates().is_ok(), one.best().has_value())
        << one.candidates().status().message();
    if (!one.best() || !one.candidates()) {
        EXPECT_EQ(one.candidates().status().code(), ErrorCode::kUnavailable);
        return;
    }
    check_candidates(one.fabric(), one.request(), *one.candidates());
    const PlacementScore& score = one.candidates()->front().score;
    EXPECT_EQ(score.weight_use, one.best()->weights);
    EXPECT_EQ(score.separate_fabrics, one.best()->separate);
}

class PlacerExhaustive : public testing::TestWithParam<CaseFamily> {};

TEST_P(PlacerExhaustive, IsAtTheOptimum) {
    const CaseFamily& family = GetParam();
    OptimumTally tally;
    for (unsigned i = 0; i < family.count; ++i) {
        const unsigned seed = family.first_seed + i;
        SCOPED_TRACE("seed " + std::to_string(seed));
        OptimumCase one(seed, family.rules);
        expect_right(one);
        tally.add(seed, one);
    }
    EXPECT_GT(tally.placed, tally.cases / 3) << "the random cases are not worth much";
    EXPECT_EQ(tally.sets.far, 0u) << "sets over 1 % dearer than the best; the worst, x "
                                  << tally.sets.worst << ", of seed " << tally.sets.worst_seed;
    EXPECT_EQ(tally.orders.far, 0u)
        << "rank plans over 1 % dearer than the best order; the worst, x " << tally.orders.worst
        << ", of seed " << tally.orders.worst_seed;
}

INSTANTIATE_TEST_SUITE_P(Family,
                         PlacerExhaustive,
                         testing::ValuesIn(kCaseFamilies),
                         [](const auto& family) {
                             std::string name = family.param.name;
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

}  // namespace
}  // namespace yardmaster
