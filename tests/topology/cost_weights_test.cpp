#include "topology/cost_weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/topology/fabric_maker.hpp"
#include "topology/placement_keys.hpp"
#include "topology/placer.hpp"

namespace yardmaster {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing_support::FabricMaker;

Result<CostWeights> parse(const std::string& text) {
    return parse_cost_weights(text, "yardmaster.json");
}

CostWeights with(const std::string& key, const std::string& value) {
    const auto weights = parse(R"({"placement": {")" + key + "\": " + value + "}}");
    EXPECT_TRUE(weights) << weights.status().message();
    return weights ? *weights : CostWeights{};
}

std::string last_part(const ConfigKey<CostWeights>& key) {
    return std::string(key.path.substr(key.path.find('.') + 1));
}

TEST(CostWeights, WithoutTheSectionTheDefaultsHold) {
    for (const char* text : {"{}", R"({"placement": {}})", R"({"health": {"enforce": false}})"}) {
        const auto weights = parse(text);
        ASSERT_TRUE(weights) << weights.status().message();
        EXPECT_EQ(*weights, CostWeights{});
    }
}

TEST(CostWeights, EveryWeightHasARowThatReachesIt) {
    EXPECT_EQ(placement_keys().size() * sizeof(double), sizeof(CostWeights));
    for (const auto& key : placement_keys()) {
        const std::string& limits = key.field.limits;
        const std::string least = limits.substr(0, limits.find(' '));
        const auto changed = changed_weights(with(last_part(key), least));
        ASSERT_THAT(changed, SizeIs(1)) << key.path;
        EXPECT_EQ(changed.front().key, last_part(key));
        EXPECT_EQ(changed.front().value, least);
        EXPECT_EQ(changed.front().default_value, key.field.show({}));
    }
}

TEST(CostWeights, DefaultsLieWithinTheirLimits) {
    for (const auto& key : placement_keys()) {
        EXPECT_EQ(with(last_part(key), key.field.show({})), CostWeights{}) << key.path;
    }
}

TEST(CostWeights, MistakesAreNamedWithPlaceAndLimit) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"placement": {"hidden": "wide"}})",
         "$.placement.hidden: is \"wide\", must be a number"},
        {R"({"placement": {"hidden": 0}})", "$.placement.hidden: is 0, must be a number from 1 to"},
        {R"({"placement": {"tier_crossing": 11}})", "from 0.001 to 10"},
        {R"({"placement": {"hiden": 1}})",
         "$.placement.hiden: unknown key; known here: parameters"},
        {R"({"placement": {"hidden": 2, "hidden": 3}})", "duplicate"},
        {R"({"placment": {}})", "known here: placement, health"}};
    for (const auto& [text, said] : cases) {
        const auto weights = parse(text);
        ASSERT_FALSE(weights) << text;
        EXPECT_EQ(weights.status().code(), ErrorCode::kMalformed);
        EXPECT_THAT(weights.status().message(), HasSubstr(said));
        EXPECT_THAT(weights.status().message(), HasSubstr("yardmaster.json: "));
    }
}

TEST(CostWeights, MarkIsEmptyForTheDefaultsAndElseTellsThemApart) {
    EXPECT_EQ(weights_mark({}), "");
    EXPECT_EQ(weights_text({}), "the defaults");
    const CostWeights narrow = with("hidden", "8192");
    EXPECT_EQ(weights_text(narrow), "hidden 8192 (default 16384)");
    // Receipts are compared across versions and machines, so this may never change.
    EXPECT_EQ(weights_mark(narrow), "e7c27389");
    EXPECT_NE(weights_mark(with("hidden", "8193")), weights_mark(narrow));
    EXPECT_NE(weights_mark(with("kv_width", "8192")), weights_mark(narrow));
}

/// Whatever a site may write, the placer answers, and its costs are numbers.
TEST(CostWeights, PlacerBearsBothEndsOfEveryRange) {
    FabricMaker maker(8, true);
    const UnitIndex core = maker.unit();
    for (int leaf = 0; leaf < 4; ++leaf) {
        maker.leaf(core, 4);
    }
    const Fabric fabric = maker.make();
    PlacementRequest request;
    request.nodes = 8;
    request.gpus_per_node = 8;
    request.hints = *parse_hints("tp8&pp2&ep2");
    request.offers.assign(fabric.nodes().size(), {.usable = true});
    for (const auto& key : placement_keys()) {
        const std::string limits = key.field.limits;
        const auto middle = limits.find(" to ");
        for (const std::string& end : {limits.substr(0, middle), limits.substr(middle + 4)}) {
            const Placer placer(fabric, with(last_part(key), end));
            const auto found = placer.propose(request, {1, Patience::kPerson});
            ASSERT_TRUE(found) << key.path << " " << end << ": " << found.status().message();
            const double cost = found->front().score.comm_cost;
            EXPECT_TRUE(std::isfinite(cost) && cost > 0) << key.path << " " << end;
            EXPECT_EQ(found->front().score.leaf_groups, 2U) << key.path << " " << end;
        }
    }
}

}  // namespace
}  // namespace yardmaster
