// What slurmctld is told when stock refuses, and what stock's refusals must not change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::ElementsAre;

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;

void refuse_for_licences(FakeHost& host) {
    host.refusal = kNoLicence;
    host.accepts = [](const StockCall&) { return false; };
}

TEST(RefusalCode, HardJobShortOfLicencesSaysSoAfterOneSet) {
    FakeHost host;
    refuse_for_licences(host);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), kNoLicence);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3)));
}

TEST(RefusalCode, SoftJobShortOfLicencesGetsStocksOwnAnswer) {
    FakeHost host;
    refuse_for_licences(host);
    EXPECT_EQ(host.test(FakeHost::new_job(8, "pp2"), kRunNow, 4), kNoLicence);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3), host.all_nodes()));
}

TEST(RefusalCode, LicencesThatPreemptionFreesAreTried) {
    FakeHost host;
    refuse_for_licences(host);
    host.accepts = [](const StockCall& call) { return call.with_preemptees; };
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3), span(0, 3)));
}

TEST(RefusalCode, RefusalOfHardJobsSetsIsNotPassedOnAsOneOfAllNodes) {
    FakeHost host;
    host.accepts = [](const StockCall&) { return false; };
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), ym_code_nodes_busy());
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3), span(4, 7)));
}

// cons_tres rewrites the weight of every node that it tests.
TEST(RefusalCode, WeightsThatARefusalLeavesDoNotReorderTheSets) {
    FakeHost host;
    host.accepts = [&host](const StockCall& call) {
        for (const std::int32_t node : call.nodes) {
            host.nodes[static_cast<std::size_t>(node)].weight += host.calls.size() < 1 ? 9 : 0;
        }
        return call.with_preemptees;
    };
    ym_list candidates{{1}};
    host.preemptees = &candidates;
    EXPECT_EQ(host.test(FakeHost::new_job(8, "leaf"), kRunNow, 4), 0);
    EXPECT_THAT(host.asked(), ElementsAre(span(0, 3), span(4, 7), span(0, 3)));
}

}  // namespace
}  // namespace yardmaster::testing
