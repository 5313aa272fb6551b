// What the placer's score says of single GPUs' rails, beside the plain model.
#include <gtest/gtest.h>

#include "tests/topology/fabric_maker.hpp"
#include "tests/topology/step_model.hpp"
#include "topology/placer.hpp"

namespace yardmaster {
namespace {

using testing_support::FabricMaker;
using testing_support::StepModel;

/// The score's cost of a ring over all nodes of `fabric`, as a share of the plain model's.
double beside_model(const Fabric& fabric) {
    PlacementRequest request;
    request.nodes = static_cast<std::uint32_t>(fabric.nodes().size());
    request.gpus_per_node = 2;
    request.hints.tp = 2;
    request.offers.assign(request.nodes, NodeOffer{.usable = true});
    std::vector<NodeIndex> all;
    for (std::uint32_t i = 0; i < request.nodes; ++i) {
        all.push_back(NodeIndex{i});
    }
    const auto sizes = derive_parallelism(request.hints, {request.nodes, request.gpus_per_node});
    const double cost = StepModel(fabric, request.gpus_per_node, *sizes, {}).cost(all);
    return Placer(fabric).score(all, request).comm_cost / cost;
}

TEST(OrderCost, OddRailInALeafGroupWithoutParentIsNotASeparateFabric) {
    FabricMaker maker(2, true);
    const auto names = maker.leaf(std::nullopt, 3, 2.5);
    maker.exception(names[0], 0, std::nullopt);
    EXPECT_NEAR(beside_model(maker.make()), 1, 1e-3);
}

TEST(OrderCost, NodesWithTheSameMiscabledNicNeedNoDetour) {
    FabricMaker maker(2, true);
    const auto names = maker.leaf(maker.unit(), 3, 2.5);
    for (const std::string& name : names) {
        maker.exception(name, 0, Rail{"mlx5_1", 400});
    }
    EXPECT_NEAR(beside_model(maker.make()), 1, 1e-3);
}

TEST(OrderCost, SlowGpuAndOddGpuOfTwoNodesCountEachOnItsOwnRail) {
    FabricMaker maker(2, true);
    const auto names = maker.leaf(maker.unit(), 3, 2.5);
    maker.exception(names[0], 0, Rail{"mlx5_0", 200});
    maker.exception(names[1], 1, Rail{"mlx5_0", 400});
    EXPECT_NEAR(beside_model(maker.make()), 1, 1e-3);
}

}  // namespace
}  // namespace yardmaster
