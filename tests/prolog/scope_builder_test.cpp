#include "prolog/scope_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Fabric> fabric() {
    return Fabric::parse(R"({
        "version": 1,
        "node_types": {
            "h100": {"gpus": 4, "rails": [{"nic": "mlx5_0", "gbps": 400},
                                          {"nic": "mlx5_0", "gbps": 400},
                                          {"nic": "mlx5_3:2", "gbps": 400},
                                          {"nic": "../../etc", "gbps": 400}]}},
        "nodes": {"n[0-1]": "h100"}})",
                         "fabric.json");
}

TEST(ScopeBuilder, OnlyTheJobsRailsAreExpectedEachOnce) {
    const auto loaded = fabric();
    ASSERT_TRUE(loaded) << loaded.status().message();
    const CheckScope scope = build_scope({"n1", 7, {0, 1, 2}, false}, loaded);
    EXPECT_EQ(scope.job, 7u);
    EXPECT_THAT(scope.gpus, ElementsAre(0, 1, 2));
    EXPECT_EQ(scope.node_gpus, 4u);
    ASSERT_EQ(scope.rails.size(), 2u);
    EXPECT_EQ(scope.rails[0].device, "mlx5_0");
    EXPECT_EQ(scope.rails[1].device, "mlx5_3");
    EXPECT_EQ(scope.rails[1].port, 2u);
    EXPECT_EQ(scope.rails_unknown, "");
}

TEST(ScopeBuilder, NameThatIsNoDeviceIsNotUsedAsAPath) {
    const CheckScope scope = build_scope({"n1", 7, {3}, false}, fabric());
    EXPECT_TRUE(scope.rails.empty());
    EXPECT_THAT(scope.rails_unknown, HasSubstr("../../etc"));
}

TEST(ScopeBuilder, WhatTheFabricDoesNotKnowIsNoted) {
    EXPECT_THAT(build_scope({"n9", 7, {0}, false}, fabric()).rails_unknown, HasSubstr("n"));
    EXPECT_THAT(build_scope({"n0", 7, {4}, false}, fabric()).rails_unknown, HasSubstr("GPU 4"));
    EXPECT_THAT(build_scope({"n0", 7, {0}, true}, fabric()).rails_unknown, HasSubstr("MIG"));
    const CheckScope scope =
        build_scope({"n0", 7, {0}, false}, Status(ErrorCode::kNotFound, "no fabric.json"));
    EXPECT_THAT(scope.rails_unknown, HasSubstr("no fabric.json"));
    EXPECT_THAT(scope.gpus, ElementsAre(0));
}

}  // namespace
}  // namespace yardmaster
