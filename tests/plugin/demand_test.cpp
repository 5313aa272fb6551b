// What is read out of one job_test, and the node map.
#include "plugin/select/demand.hpp"

#include <gtest/gtest.h>

#include "plugin/select/node_map.hpp"
#include "plugin/select/supply.hpp"
#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

struct Counts {
    std::uint32_t min_nodes, max_nodes, req_nodes;
};

Demand demand(const Counts& counts, const ym_job_info& info, const char* hints = "") {
    ym_job_test test{};
    test.min_nodes = counts.min_nodes;
    test.max_nodes = counts.max_nodes;
    test.req_nodes = counts.req_nodes;
    return read_demand(test, info, *parse_hints(hints), 8, 64);
}

ym_job_info info() {
    ym_job_info info{};
    info.job_id = 1;
    info.has_details = true;
    info.cpus_per_task = 1;
    return info;
}

TEST(Demand, FixedNumberOfNodesIsTaken) {
    ym_job_info job = info();
    job.gpus_per_node = 8;
    const Demand read = demand({4, 4, 4}, job);
    EXPECT_TRUE(read.nodes_fixed);
    EXPECT_EQ(read.nodes, 4U);
    EXPECT_EQ(read.gpus_per_node, 8U);
    EXPECT_EQ(read.least_gpus, 8U);
}

TEST(Demand, RangeWantsItsUpperEnd) {
    const Demand read = demand({2, 8, 8}, info());
    EXPECT_FALSE(read.nodes_fixed);
    EXPECT_EQ(read.nodes, 8U);
}

TEST(Demand, GpusOfTheJobGiveAnEstimate) {
    ym_job_info job = info();
    job.gpus_per_job = 20;
    const Demand read = demand({1, 100, 1}, job);
    EXPECT_EQ(read.nodes, 3U);
    EXPECT_EQ(read.gpus_per_node, 7U);
    EXPECT_EQ(read.least_gpus, 1U);
}

TEST(Demand, GpusOfTasksGiveAnEstimate) {
    ym_job_info job = info();
    job.gpus_per_task = 2;
    job.num_tasks = 16;
    const Demand read = demand({1, 100, 1}, job);
    EXPECT_EQ(read.nodes, 4U);
    EXPECT_EQ(read.gpus_per_node, 8U);
    EXPECT_EQ(read.least_gpus, 2U);
}

TEST(Demand, CpusOfTasksGiveAnEstimate) {
    ym_job_info job = info();
    job.num_tasks = 130;
    job.cpus_per_task = 1;
    EXPECT_EQ(demand({1, 100, 1}, job).nodes, 3U);
}

TEST(Demand, EstimateStaysWithinTheBounds) {
    ym_job_info job = info();
    job.gpus_per_job = 800;
    EXPECT_EQ(demand({1, 5, 1}, job).nodes, 5U);
    job.gpus_per_job = 8;
    EXPECT_EQ(demand({3, 5, 3}, job).nodes, 3U);
}

TEST(Demand, GpusOfAOneNodeJobAllStandOnThatNode) {
    ym_job_info job = info();
    job.gpus_per_job = 6;
    EXPECT_EQ(demand({1, 1, 1}, job).least_gpus, 6U);
    EXPECT_EQ(demand({2, 2, 2}, job).least_gpus, 1U);
}

TEST(Demand, GpusOfSocketsAreTheLeastOfANode) {
    ym_job_info job = info();
    job.gpus_per_socket = 4;
    const Demand read = demand({2, 2, 2}, job);
    EXPECT_EQ(read.gpus_per_node, 4U);
    EXPECT_EQ(read.least_gpus, 4U);
}

TEST(Demand, JobWithoutGpusNeedsNone) {
    ym_job_info job = info();
    job.cpus_per_task = 16;
    const Demand read = demand({2, 2, 2}, job);
    EXPECT_EQ(read.gpus_per_node, 0U);
    EXPECT_EQ(read.least_gpus, 0U);
    EXPECT_EQ(read.least_cpus, 16U);
}

TEST(Demand, IndicesAreKnownWhereEveryNodeGivesAsManyGpus) {
    ym_job_info job = info();
    job.gpus_per_job = 8;
    job.gpu_kinds = 1;
    EXPECT_EQ(demand({2, 2, 2}, job).indices, 4U);
    EXPECT_TRUE(demand({2, 2, 2}, job).even_by_hiding);
    EXPECT_EQ(demand({3, 3, 3}, job).indices, 0U);
    EXPECT_EQ(demand({1, 4, 1}, job).indices, 0U);
    EXPECT_FALSE(demand({1, 1, 1}, job).even_by_hiding);
    job = info();
    job.gpus_per_node = 2;
    job.gpu_kinds = 1;
    EXPECT_EQ(demand({1, 4, 4}, job).indices, 2U);
    EXPECT_FALSE(demand({1, 4, 4}, job).even_by_hiding);
}

TEST(Demand, OnlyGpusOfOneTypeOnPartOfANodeAreChosen) {
    ym_job_info job = info();
    job.gpus_per_node = 2;
    job.gpu_kinds = 1;
    EXPECT_TRUE(demand({2, 2, 2}, job).maskable);
    job.whole_node = true;
    EXPECT_FALSE(demand({2, 2, 2}, job).maskable);
    job.whole_node = false;
    job.gpu_kinds = 2;
    EXPECT_FALSE(demand({2, 2, 2}, job).maskable);
    job.gpu_kinds = 1;
    job.gpus_per_socket = 1;
    EXPECT_FALSE(demand({2, 2, 2}, job).maskable);
    EXPECT_EQ(demand({2, 2, 2}, job).indices, 0U);
}

/// A job_test on the first `count` nodes of the host.
struct Offered {
    explicit Offered(std::int32_t count) {
        const NodeSet nodes = span(0, count - 1);
        bitmap.bits = {nodes.begin(), nodes.end()};
        test.job = FakeHost::new_job(0);
        test.bitmap = &bitmap;
    }
    ym_bitmap bitmap;
    ym_job_test test{};
};

Demand needs(std::uint32_t gpus, std::uint32_t cpus) {
    Demand demand;
    demand.gpus_per_node = demand.least_gpus = gpus;
    demand.least_cpus = cpus;
    return demand;
}

TEST(Supply, CountsOnlyNodesThatAreOffered) {
    FakeHost host;
    const Offered offered(3);
    NodeCounts counts;
    const Supply supply(offered.test, counts);
    EXPECT_EQ(supply.usable(needs(8, 1), {}).nodes, span(0, 2));
}

TEST(Supply, CpusOfOtherJobsAreNotFree) {
    FakeHost host;
    host.add_running(1, {0}, 0, 60, 5);
    host.add_running(2, {0, 1}, 0, 3, 9);
    const Offered offered(3);
    NodeCounts counts;
    const Supply supply(offered.test, counts);
    EXPECT_EQ(supply.usable(needs(0, 2), {}).nodes, (NodeSet{1, 2}));
    EXPECT_EQ(supply.usable(needs(0, 1), {}).nodes, (NodeSet{0, 1, 2}));
    EXPECT_TRUE(supply.part_used(0));
    EXPECT_FALSE(supply.part_used(2));
}

TEST(Supply, CpusOfOtherJobsDoNotCountForAJobThatSharesThem) {
    FakeHost host;
    host.add_running(1, {0}, 0, 64, 5);
    host.add_running(2, {1}, 8, 64, 5);
    const Offered offered(3);
    NodeCounts counts;
    const Supply supply(offered.test, counts);
    Demand demand = needs(8, 64);
    demand.shares_cpus = true;
    EXPECT_EQ(supply.usable(demand, {}).nodes, (NodeSet{0, 2}));
    demand.whole_node = true;
    EXPECT_EQ(supply.usable(demand, {}).nodes, (NodeSet{0, 2}));
}

TEST(Supply, JobsThatEndGiveTheirShareBack) {
    FakeHost host;
    host.add_running(1, {0}, 4, 60, 5);
    host.add_running(2, {0, 1}, 4, 3, 9);
    Offered offered(2);
    offered.test.mode = YM_MODE_WILL_RUN;
    NodeCounts counts;
    const Supply supply(offered.test, counts);
    const auto at = [&](std::time_t time) {
        return supply.usable(needs(8, 8), {Moment::Kind::kAt, time}).nodes;
    };
    EXPECT_EQ(at(8), NodeSet{});
    EXPECT_EQ(at(9), (NodeSet{0, 1}));
    EXPECT_EQ(supply.usable(needs(4, 8), {Moment::Kind::kAt, 5}).nodes, (NodeSet{0, 1}));
    EXPECT_EQ(supply.end_times(), (std::vector<std::time_t>{5, 9}));
}

TEST(Supply, OnlyCandidatesGoWhenPreempting) {
    FakeHost host;
    host.add_running(1, {0}, 8, 8, 5);
    host.add_running(2, {1}, 8, 8, 9);
    Offered offered(2);
    ym_list candidates{{2}};
    offered.test.preemptees = &candidates;
    NodeCounts counts;
    const Supply supply(offered.test, counts);
    EXPECT_EQ(supply.usable(needs(8, 8), {Moment::Kind::kPreempting, 0}).nodes, NodeSet{1});
    EXPECT_EQ(supply.usable(needs(8, 8), {}).nodes, NodeSet{});
}

TEST(Supply, EverFreeIncludesWhatNoJobAccountsFor) {
    FakeHost host;
    host.nodes[0].free_gpus = 0;
    const Offered offered(2);
    NodeCounts counts;
    const Supply supply(offered.test, counts);
    EXPECT_EQ(supply.usable(needs(8, 8), {Moment::Kind::kEver, 0}).nodes, (NodeSet{0, 1}));
}

/// Two GPUs of each node, by index.
Demand two_by_index() {
    Demand demand = needs(2, 1);
    demand.indices = 2;
    demand.maskable = true;
    return demand;
}

TEST(Supply, GpusAreTheOnesThatNobodyHoldsThen) {
    FakeHost host;
    host.add_running_on(1, {0}, 0b1111, 4, 5);
    host.add_running_on(2, {0}, 0b110000, 4, 9);
    host.nodes[0].held_by_shards = 0b1000000;
    Offered offered(2);
    offered.test.mode = YM_MODE_WILL_RUN;
    NodeCounts counts;
    Supply supply(offered.test, counts);
    EXPECT_TRUE(supply.usable(two_by_index(), {}).gpus.empty()) << "nobody asked for them";
    supply.read_gpu_masks(two_by_index(), false);
    EXPECT_EQ(supply.usable(two_by_index(), {}).gpus[0], 0b10000000U);
    EXPECT_EQ(supply.usable(two_by_index(), {}).gpus[1], 0xFFU);
    const auto at = [&](std::time_t time) {
        return supply.usable(two_by_index(), {Moment::Kind::kAt, time}).gpus[0];
    };
    EXPECT_EQ(at(5), 0b11001111U) << "shards may be gone by then";
    EXPECT_EQ(at(9), 0xFFU);
}

TEST(Supply, GpusOfAnotherTypeAreNotOffered) {
    FakeHost host;
    host.nodes[0].wrong_type = 0b1111;
    host.add_running_on(1, {0}, 0b11, 4, 5);
    const Offered offered(1);
    NodeCounts counts;
    Supply supply(offered.test, counts);
    Demand typed = two_by_index();
    typed.gpu_type = 7;
    supply.read_gpu_masks(typed, true);
    EXPECT_EQ(supply.usable(typed, {}).gpus[0], 0xF0U);
    EXPECT_EQ(supply.usable(typed, {Moment::Kind::kAt, 5}).gpus[0], 0xF0U);
}

TEST(Supply, WithoutIndicesOnlyAllOfANodeIsOffered) {
    FakeHost host;
    host.nodes[0].indices = host.nodes[1].indices = false;
    host.add_running(1, {1}, 1, 4, 5);
    const Offered offered(2);
    NodeCounts counts;
    Supply supply(offered.test, counts);
    supply.read_gpu_masks(two_by_index(), false);
    EXPECT_EQ(supply.usable(two_by_index(), {}).gpus[0], 0U);
    Demand all = two_by_index();
    all.indices = 8;
    EXPECT_EQ(supply.usable(all, {}).gpus[0], 0xFFU);
    EXPECT_EQ(supply.usable(all, {}).gpus[1], 0U);
}

TEST(Supply, AlikeAreEnoughNodesOfOneSize) {
    FakeHost host;
    host.nodes[0].gpus = host.nodes[1].gpus = 4;
    const Offered offered(8);
    NodeCounts counts;
    const Supply supply(offered.test, counts);
    EXPECT_EQ(supply.gpus_of_alike(4, 2), 4U);
    EXPECT_EQ(supply.gpus_of_alike(4, 3), 8U);
    EXPECT_EQ(supply.gpus_of_alike(5, 1), 8U);
    EXPECT_EQ(supply.gpus_of_alike(9, 1), 0U);
}

TEST(NodeMap, NamesDecideAndEmptySlotsAreSkipped) {
    FakeHost host;
    host.nodes = {{.name = "n3"}, {.name = ""}, {.name = "n0"}, {.name = "other"}};
    const auto fabric = Fabric::parse(
        R"({"version": 1, "node_types": {"t": {"gpus": 8}}, "nodes": {"n[0-3]": "t"}})", "test");
    ASSERT_TRUE(fabric) << fabric.status().message();
    const NodeMap map(*fabric);
    EXPECT_EQ(map.fabric_node(0), NodeIndex{3});
    EXPECT_EQ(map.fabric_node(1), std::nullopt);
    EXPECT_EQ(map.fabric_node(2), NodeIndex{0});
    EXPECT_EQ(map.fabric_node(3), std::nullopt);
    EXPECT_EQ(map.fabric_node(4), std::nullopt);
    EXPECT_EQ(map.fabric_node(-1), std::nullopt);
    EXPECT_EQ(map.slurm_node(NodeIndex{3}), 0);
    EXPECT_EQ(map.slurm_node(NodeIndex{1}), -1);
    EXPECT_EQ(map.unknown_to_slurm(), 2U);
}

}  // namespace
}  // namespace yardmaster::testing
