#include "healthcheck/baseline/proven.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"

namespace yardmaster {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

const std::vector<ProvenObject> kRails{{"mlx5_0", {{"counters/symbol_error", 3}}},
                                       {"mlx5_1", {{"counters/symbol_error", 0}}}};

ProvenState passed_at(double uptime_s) {
    ProvenState state{"boot", "550", {}};
    add_passes("RDMA", kRails, uptime_s, state);
    return state;
}

TEST(Proven, RecentPassStandsWhileNoCounterMoves) {
    const auto why = proven_lately(passed_at(1000), "RDMA", kRails, 1600, seconds(3600));
    ASSERT_TRUE(why);
    EXPECT_THAT(*why, HasSubstr("10 min"));
}

TEST(Proven, OldPassOrNoneDoesNotStand) {
    EXPECT_FALSE(proven_lately(passed_at(1000), "RDMA", kRails, 4600, seconds(3600)));
    EXPECT_FALSE(proven_lately(passed_at(1000), "RDMA", kRails, 1000, seconds(0)));
    EXPECT_FALSE(proven_lately(passed_at(1000), "RDMA", kRails, 900, seconds(3600)));
    EXPECT_FALSE(proven_lately(passed_at(1000), "NCCL", kRails, 1001, seconds(3600)));
    EXPECT_FALSE(proven_lately({}, "RDMA", kRails, 1001, seconds(3600)));
}

TEST(Proven, OneCounterOfOneObjectAsksForANewTest) {
    auto moved = kRails;
    moved[1].counters["counters/symbol_error"] = 1;
    EXPECT_FALSE(proven_lately(passed_at(1000), "RDMA", moved, 1001, seconds(3600)));
    auto appeared = kRails;
    appeared[0].counters["counters/link_downed"] = 0;
    EXPECT_FALSE(proven_lately(passed_at(1000), "RDMA", appeared, 1001, seconds(3600)));
}

TEST(Proven, ObjectWithoutCountersIsNeverProven) {
    const std::vector<ProvenObject> silent{{"mlx5_0", {}}};
    ProvenState state{"boot", "550", {}};
    add_passes("RDMA", silent, 1000, state);
    EXPECT_FALSE(proven_lately(state, "RDMA", silent, 1001, seconds(3600)));
    EXPECT_FALSE(proven_lately(state, "RDMA", {}, 1001, seconds(3600))) << "nothing to measure";
}

TEST(Proven, LaterPassTakesTheEarliersPlace) {
    ProvenState state = passed_at(1000);
    add_passes("RDMA", kRails, 2000, state);
    EXPECT_EQ(state.passes.size(), 2u);
    EXPECT_TRUE(proven_lately(state, "RDMA", kRails, 5000, seconds(3600)));
}

TEST(Proven, IsReadBackAsWritten) {
    ProvenState state = passed_at(12.5);
    state.passes[0].object.counters["big"] = ~std::uint64_t{0};
    const auto document = JsonDocument::parse(to_json(state).dump_exact());
    ASSERT_TRUE(document);
    ProvenState back;
    const Status status = from_json(document->root(), back);
    ASSERT_TRUE(status) << status.message();
    EXPECT_EQ(to_json(back).dump_exact(), to_json(state).dump_exact());
    EXPECT_EQ(back.passes[0].object.counters.at("big"), ~std::uint64_t{0});
}

}  // namespace
}  // namespace yardmaster
