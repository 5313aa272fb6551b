// The yardmaster-prolog program as slurmd starts it, on a simulated node, without a slurmctld.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "healthcheck/evidence.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::write_file;

constexpr seconds kSlack{20};  // what a loaded machine may add to a deadline

struct Outcome {
    int exit_status = -1;
    std::string output;
    Clock::duration took{};
};

/// Runs the program with exactly `variables` and collects what it writes to stdout and stderr, up
/// to the end of the stream: a child that kept it open would be noticed by the time it takes.
Outcome run_program(std::vector<std::string> arguments, std::vector<std::string> variables) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> argv;
    std::vector<char*> envp;
    arguments.insert(arguments.begin(), YM_PROLOG_PROGRAM);
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    for (std::string& variable : variables) {
        envp.push_back(variable.data());
    }
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    Outcome outcome;
    const auto begin = Clock::now();
    pid_t pid = 0;
    EXPECT_EQ(posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), envp.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char buffer[4096];
    for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
        outcome.output.append(buffer, static_cast<std::size_t>(size));
    }
    close(ends[0]);
    int status = 0;
    waitpid(pid, &status, 0);
    outcome.took = Clock::now() - begin;
    outcome.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

class PrologProgram : public ::testing::Test {
  protected:
    PrologProgram() : node_(folder_ / "n0") {
        const Status status = node_.create(sim::default_settings());
        EXPECT_TRUE(status) << status.message();
        write_policy("");
        write_file(folder_ / "etc/fabric.json", R"({
            "version": 1,
            "node_types": {"h100": {"gpus": 8, "rails": [
                {"nic": "mlx5_0", "gbps": 400}, {"nic": "mlx5_1", "gbps": 400},
                {"nic": "mlx5_2", "gbps": 400}, {"nic": "mlx5_3", "gbps": 400},
                {"nic": "mlx5_4", "gbps": 400}, {"nic": "mlx5_5", "gbps": 400},
                {"nic": "mlx5_6", "gbps": 400}, {"nic": "mlx5_7", "gbps": 400}]}},
            "nodes": {"n[0-3]": "h100"}})");
    }
    /// `more` is put into the health object: "\"enforce\": false, ".
    void write_policy(const std::string& more) {
        write_file(folder_ / "etc/yardmaster.json",
                   "{\"health\": {" + more + "\"sysfs_root\": \"" + folder_.path() +
                       "/%n/sys\", \"nvml_library\": \"" + folder_.path() +
                       "/%n/nvml/libnvidia-ml.so.1\", \"evidence_dir\": \"" + folder_.path() +
                       "/%n/evidence\", \"state_dir\": \"" + folder_.path() + "/%n/state\"}}");
    }
    Outcome run(const std::string& gpus = "0,1,2,3,4,5,6,7") {
        return run_program({},
                           {"SLURM_JOB_ID=12",
                            "SLURMD_NODENAME=n0",
                            "SLURM_CONF=" + (folder_ / "etc/slurm.conf"),
                            "SLURM_JOB_GPUS=" + gpus});
    }
    /// The bundles kept so far.
    std::vector<Evidence> evidence() {
        std::vector<Evidence> all;
        const auto ids = list_evidence(folder_ / "n0/evidence");
        for (const std::string& id : ids ? *ids : std::vector<std::string>{}) {
            auto loaded = load_evidence(folder_ / ("n0/evidence/" + id + ".json"));
            EXPECT_TRUE(loaded) << loaded.status().message();
            all.push_back(std::move(loaded).value());
        }
        return all;
    }

    testing::ScratchFolder folder_;
    sim::SimNode node_;
};

TEST_F(PrologProgram, HealthyNodeStartsTheJobInSilence) {
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output, "");
    EXPECT_TRUE(evidence().empty());
}

TEST_F(PrologProgram, LossOfAllReduceIsFoundAgainstWhatEarlierRunsLeft) {
#ifndef YM_NCCL_PROBE
    GTEST_SKIP() << "yardmaster-nccl-probe is not built (YM_NCCL=OFF)";
#else
    write_policy(
        "\"enforce\": false, \"deadline_s\": 100, \"rdma\": {\"mode\": \"off\"}, "
        "\"nccl\": {\"max_init_s\": 60, \"probe\": \"" YM_NCCL_PROBE "\", \"library\": \"" +
        node_.nccl_library() + "\", \"cuda_library\": \"" + node_.cuda_library() + "\"}, ");
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(run().output, "");
    }
    ASSERT_TRUE(node_.change_nccl([](sim::NcclScenario& scenario) { scenario.share = 0.85; }));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("NCCL: all-reduce of"));
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_EQ(evidence()[0].report.verdict, Verdict::kDegraded);
#endif
}

TEST_F(PrologProgram, JobWithoutGpusIsNotChecked) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const Outcome outcome = run("");
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output, "");
}

TEST_F(PrologProgram, ReportOnlyKeepsEvidenceAndStartsTheJob) {
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("mlx5_3"));
    EXPECT_THAT(outcome.output, HasSubstr("SIMULATED"));
    const auto kept = evidence();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].report.verdict, Verdict::kDegraded);
    EXPECT_FALSE(kept[0].action.enforced);
    EXPECT_EQ(kept[0].action.outcome, "report-only");
    EXPECT_THAT(kept[0].action.reason, HasSubstr("ym mlx5_3 100/400Gb job 12 ev n0-12-"));
    EXPECT_THAT(kept[0].action.reason, HasSubstr("SIMULATED"));
}

TEST_F(PrologProgram, UnreachableControllerStartsTheJobWithinTheDeadline) {
    write_policy("\"deadline_s\": 2, ");
    ASSERT_TRUE(node_.change_gpu(2, [](sim::SimGpu& gpu) { gpu.lost = true; }));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_LT(outcome.took, seconds(2) + kSlack);
    const auto kept = evidence();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].action.outcome, "unreachable");
    EXPECT_EQ(kept[0].report.findings.at(0).object, "GPU2");
}

TEST_F(PrologProgram, HungDriverIsUnknownWithinTheDeadline) {
    write_policy("\"deadline_s\": 2, ");
    ASSERT_TRUE(node_.change_scenario([](sim::Scenario& scenario) {
        scenario.hang_s = 600;
        return Status::ok();
    }));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_LT(outcome.took, seconds(2) + kSlack);
    ASSERT_EQ(evidence().size(), 1u);
    EXPECT_EQ(evidence()[0].report.verdict, Verdict::kUnknown);
}

TEST_F(PrologProgram, UnreadablePolicyNeverDrains) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    write_file(folder_ / "etc/yardmaster.json", "{\"health\": {\"enforcee\": false}}");
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("enforcee"));
    EXPECT_TRUE(evidence().empty());
}

TEST_F(PrologProgram, WithoutAFabricFileTheGpusAreStillChecked) {
    write_policy("\"enforce\": false, ");
    std::filesystem::remove(folder_ / "etc/fabric.json");
    ASSERT_TRUE(node_.change_gpu(1, [](sim::SimGpu& gpu) { gpu.links_down = {0}; }));
    EXPECT_EQ(run().exit_status, 0);
    const auto kept = evidence();
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].report.verdict, Verdict::kDegraded);
    EXPECT_THAT(kept[0].report.scope.rails_unknown, HasSubstr("fabric.json"));
}

TEST_F(PrologProgram, UnwritableEvidenceDoesNotChangeTheVerdict) {
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    write_file(folder_ / "n0/evidence", "a file in the way");
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("degraded, report-only"));
    EXPECT_THAT(outcome.output, HasSubstr("not kept"));
}

TEST_F(PrologProgram, HostileEnvironmentStartsTheJobAndSaysWhy) {
    const Outcome outcome = run("0;reboot");
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("SLURM_JOB_GPUS"));
}

TEST_F(PrologProgram, HelpAndVersionAreTold) {
    EXPECT_THAT(run_program({"--help"}, {}).output, HasSubstr("usage:"));
    EXPECT_THAT(run_program({"--version"}, {}).output, HasSubstr(YM_VERSION));
}

}  // namespace
}  // namespace yardmaster
