#include "healthcheck/checks.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/healthcheck/simulated_node.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kSlack{20};  // what a loaded machine may add to a deadline

using testing::SimulatedNode;

TEST_F(SimulatedNode, HealthyNodePassesAndSaysItIsSimulated) {
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << objects(report);
    EXPECT_EQ(report.readings.ports.size(), 8u);
    EXPECT_EQ(report.readings.gpus.size(), 8u);
    EXPECT_EQ(report.readings.simulated.size(), 2u);
    EXPECT_FALSE(report.readings.boot_id.empty());
}

TEST_F(SimulatedNode, SlowRailDegrades) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    EXPECT_EQ(objects(run()), "mlx5_3 100/400Gb; ");
}

TEST_F(SimulatedNode, FaultsOutsideTheJobAreNotSeen) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    ASSERT_TRUE(node_.set_port("mlx5_8", "1: DOWN", "3: Disabled"));
    ASSERT_TRUE(node_.set_counter("mlx5_bond_0", "counters/link_downed", "1"));
    ASSERT_TRUE(node_.change_gpu(3, [](sim::SimGpu& gpu) { gpu.links_down = {1}; }));
    scope_.gpus = {0};
    scope_.rails.resize(1);
    EXPECT_EQ(run().verdict, Verdict::kHealthy);
}

TEST_F(SimulatedNode, VanishedNicIsMissing) {
    ASSERT_TRUE(node_.remove_nic("mlx5_6"));
    EXPECT_EQ(objects(run()), "mlx5_6 missing; ");
}

TEST_F(SimulatedNode, LostAndMissingGpusAreNamed) {
    ASSERT_TRUE(node_.change_gpu(2, [](sim::SimGpu& gpu) { gpu.lost = true; }));
    EXPECT_EQ(objects(run()), "GPU2 lost; ");
    ASSERT_TRUE(node_.heal());
    ASSERT_TRUE(node_.change_gpu(5, [](sim::SimGpu& gpu) { gpu.missing = true; }));
    EXPECT_EQ(objects(run()), "GPU5 missing; ");
}

TEST_F(SimulatedNode, NvlinkIsFoundWhateverTheOrderOfNvml) {
    settings_.minors = {3, 2, 1, 0, 7, 6, 5, 4};
    create();
    ASSERT_TRUE(node_.change_gpu(4, [](sim::SimGpu& gpu) { gpu.links_down = {7}; }));
    EXPECT_EQ(objects(run()), "GPU4 NVLink 17/18; ");
}

TEST_F(SimulatedNode, AbsentLibraryIsUnknown) {
    std::filesystem::remove(node_.nvml_library());
    EXPECT_EQ(run().verdict, Verdict::kUnknown);
}

TEST_F(SimulatedNode, DriverErrorIsUnknown) {
    ASSERT_TRUE(node_.change_scenario([](sim::Scenario& scenario) {
        scenario.init_code = 9;  // NVML_ERROR_DRIVER_NOT_LOADED
        return Status::ok();
    }));
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_NE(report.findings.at(0).detail.find("Driver Not Loaded"), std::string::npos);
}

void hang(const sim::SimNode& node) {
    ASSERT_TRUE(node.change_scenario([](sim::Scenario& scenario) {
        scenario.hang_s = 600;
        return Status::ok();
    }));
}

TEST_F(SimulatedNode, HungDriverIsUnknownWithinTheBudget) {
    hang(node_);
    const auto begin = Clock::now();
    const Report report = run(seconds(1));
    EXPECT_LT(Clock::now() - begin, seconds(1) + kSlack);
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_EQ(report.readings.ports.size(), 8u);
    EXPECT_FALSE(report.readings.notes.empty());
}

TEST_F(SimulatedNode, HungDriverDoesNotLoseACertainPortFinding) {
    hang(node_);
    ASSERT_TRUE(node_.set_port("mlx5_5", "1: DOWN", "2: Polling"));
    const auto begin = Clock::now();
    const Report report = run(seconds(300));
    EXPECT_EQ(report.verdict, Verdict::kDegraded);
    EXPECT_EQ(primary(report.findings)->object, "mlx5_5");
    EXPECT_LT(Clock::now() - begin, kGraceAfterCertain + kSlack) << "does not wait for the driver";
}

TEST_F(SimulatedNode, HungPortFileLeavesTheGpusJudged) {
    // Opening a pipe that nobody writes to blocks, as a sysfs file of a hung driver does.
    const std::string state = node_.port("mlx5_0") + "/state";
    std::filesystem::remove(state);
    ASSERT_EQ(mkfifo(state.c_str(), 0600), 0);
    const Report report = run(seconds(2));
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_EQ(report.readings.gpus.size(), 8u);
    EXPECT_TRUE(report.readings.ports.empty());
}

}  // namespace
}  // namespace yardmaster
