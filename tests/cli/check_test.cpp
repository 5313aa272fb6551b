// `yardmaster check` on a simulated node: a sysfs tree and a fake NVML, no hardware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "healthcheck/evidence.hpp"
#include "tests/cli/command.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Check : public testing::Test {
  protected:
    Check()
        : folder_(testing::TempDir() + "ym_check_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name()),
          node_(folder_) {}
    ~Check() override { std::filesystem::remove_all(folder_); }

    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        sim::NodeSettings settings = sim::default_settings();
        settings.library = YM_FAKE_NVML;
        const Status status = node_.create(settings);
        ASSERT_TRUE(status) << status.message();
        std::ofstream(folder_ + "/yardmaster.json")
            << "{\"health\": {\"sysfs_root\": \"" << node_.sysfs_root()
            << "\", \"nvml_library\": \"" << node_.nvml_library() << "\"}}";
    }

    CommandRun check(const std::vector<std::string>& more = {},
                     const std::string& node = "yard01") const {
        std::vector<std::string> words{"check",
                                       "--node",
                                       node,
                                       "--fabric",
                                       data_file("two_pods.json"),
                                       "--policy",
                                       folder_ + "/yardmaster.json"};
        words.insert(words.end(), more.begin(), more.end());
        return run_command(words);
    }

    std::string folder_;
    sim::SimNode node_;
};

TEST_F(Check, HealthyNodeShowsItsReadings) {
    const CommandRun run = check();
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("yard01: 8 GPUs and 8 rails checked in "));
    EXPECT_THAT(run.out, ContainsRegex("mlx5_3:1 +400 Gb/s +4: ACTIVE +5: LinkUp +400 Gb/sec"));
    EXPECT_THAT(run.out, ContainsRegex("3 +NVIDIA H100 80GB HBM3 .* 18 of 18 +0 +none\n"));
    EXPECT_THAT(run.out, HasSubstr("SIMULATED: "));
    EXPECT_THAT(run.out, Not(HasSubstr("FINDING")));
    EXPECT_THAT(run.out, HasSubstr("\nVerdict: healthy ("));
}

TEST_F(Check, SlowRailIsDegraded) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const CommandRun run = check();
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, ContainsRegex("port.rate +mlx5_3.* +degraded"));
    EXPECT_THAT(run.out, HasSubstr("Verdict: degraded (the prolog would drain this node)\n"));
}

TEST_F(Check, OnlyTheNamedGpusCount) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const CommandRun run = check({"--gpus", "0-2,4"});
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out, HasSubstr("4 GPUs and 4 rails checked"));
    EXPECT_THAT(run.out, Not(HasSubstr("mlx5_3:1")));  // the note on roles names all
}

TEST_F(Check, AbsentNvmlIsUnknown) {
    std::filesystem::remove(node_.nvml_library());
    const CommandRun run = check();
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.out, HasSubstr("Verdict: unknown (the prolog would let a job start"));
}

TEST_F(Check, JsonIsTheEvidence) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const CommandRun run = check({"--json"});
    EXPECT_EQ(run.code, 1);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    Evidence evidence;
    const Status status = from_json(document->root(), evidence);
    ASSERT_TRUE(status) << status.message();
    EXPECT_EQ(evidence.report.scope.node, "yard01");
    EXPECT_EQ(evidence.report.scope.job, 0U);
    EXPECT_FALSE(evidence.action.enforced);
    EXPECT_EQ(combine(evidence.report.findings), Verdict::kDegraded);
}

TEST_F(Check, NodeThatTheFabricLacksNeedsGpus) {
    const CommandRun without = check({}, "zoo1");
    EXPECT_EQ(without.code, 3);
    EXPECT_THAT(without.err, HasSubstr("zoo1; give --gpus"));
    // With GPUs named, the rails stay unknown, and so does the verdict.
    const CommandRun with = check({"--gpus", "0"}, "zoo1");
    EXPECT_EQ(with.code, 3) << with.out;
    EXPECT_THAT(with.out, HasSubstr("Verdict: unknown"));
}

TEST_F(Check, BadOptionsAreUsageErrors) {
    EXPECT_EQ(check({"--gpus", "all"}).code, 2);
    EXPECT_EQ(check({}, "../etc").code, 2);
}

TEST_F(Check, BrokenPolicyIsUnknownAndNamed) {
    std::ofstream(folder_ + "/yardmaster.json") << "{\"health\": {\"enforced\": true}}";
    const CommandRun run = check();
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("$.health.enforced"));
}

TEST_F(Check, NamedPolicyMustExist) {
    std::filesystem::remove(folder_ + "/yardmaster.json");
    EXPECT_EQ(check().code, 3);
}

}  // namespace
}  // namespace yardmaster::cli
