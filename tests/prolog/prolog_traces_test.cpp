// What a run of the prolog leaves and passes on: nothing but its files, and those to root alone.
#include <fcntl.h>

#include "tests/prolog/prolog_among_faults.hpp"

namespace yardmaster {
namespace {

using testing::content;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::PrologAmongFaults;
using testing::run_program;

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
    struct stat about {};
    EXPECT_EQ(stat(path.c_str(), &about), 0) << path;
    return about.st_mode & 07777;
}

class PrologTraces : public PrologAmongFaults {
  protected:
    PrologTraces() : umask_(umask(0)) { kept_in_ = folder_ / "kept"; }  // slurmd's may be any
    ~PrologTraces() override { umask(umask_); }

    void write_policy(const std::string& more) {
        PrologAmongFaults::write_policy("\"prometheus_file\": \"" + kept_in_ +
                                        "/metrics/ym.prom\", " + more);
        fs::create_directories(kept_in_ + "/metrics");
        fs::permissions(kept_in_, fs::perms::owner_all);
        fs::permissions(kept_in_ + "/metrics", fs::perms::owner_all);
    }
    /// node_exporter reads the counters; all else is for root's eyes.
    void expect_closed_to_others() const {
        for (const auto& entry : fs::recursive_directory_iterator(kept_in_)) {
            const bool counters = entry.path().extension() == ".prom";
            EXPECT_EQ(mode_of(entry) & (counters ? 022 : 077), 0u) << entry.path();
            EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
        }
    }
    /// A link to the probe that writes NAME.told.
    std::string curious_probe(const std::string& name) const {
        fs::create_symlink(YM_CURIOUS_PROBE, folder_ / name);
        return folder_ / name;
    }

  private:
    mode_t umask_;
};

TEST_F(PrologTraces, HealthyRunLeavesOnlyItsState) {
    write_policy("\"deadline_s\": 100, " + probes("auto", YM_RDMA_PROBE, YM_NCCL_PROBE));
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output, "");
    expect_closed_to_others();
    EXPECT_TRUE(fs::exists(kept_in_ + "/state/rdma.json"));
    EXPECT_FALSE(fs::exists(kept_in_ + "/evidence"));
    if (fs::exists(YM_NCCL_PROBE)) {
        EXPECT_THAT(content(folder_ / "n0/nccl/left.json"),
                    HasSubstr("\"memory\":0,\"contexts\":0"));
    }
    expect_nothing_left();
}

TEST_F(PrologTraces, DegradedRunLeavesOnlyItsFiles) {
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    EXPECT_EQ(run().exit_status, 0);
    EXPECT_TRUE(fs::exists(kept_in_ + "/metrics/ym.prom"));
    EXPECT_TRUE(fs::exists(kept_in_ + "/journal.jsonl"));
    expect_closed_to_others();
    expect_nothing_left();
}

TEST_F(PrologTraces, HungDriverLeavesNothingElse) {
    write_policy("\"deadline_s\": 2, ");
    ASSERT_TRUE(node_.change_scenario([](sim::Scenario& scenario) {
        scenario.hang_s = 600;
        return Status::ok();
    }));
    EXPECT_THAT(run().output, HasSubstr("unknown, job starts"));
    expect_closed_to_others();
    expect_nothing_left();
}

TEST_F(PrologTraces, ProbesInheritNoDescriptorAndNoVariable) {
    const int open_here = open((folder_ / "secret").c_str(), O_CREAT | O_RDWR, 0600);
    ASSERT_GT(open_here, 2);  // inherited by the prolog, as what slurmd leaves open
    write_policy("\"deadline_s\": 100, " +
                 probes("on", curious_probe("rdma-probe"), curious_probe("nccl-probe")));
    auto environment = variables();
    environment.push_back("LD_LIBRARY_PATH=/hostile");
    EXPECT_EQ(run_program({}, environment).exit_status, 0);
    close(open_here);
    for (const char* name : {"rdma-probe.told", "nccl-probe.told"}) {
        EXPECT_EQ(content(folder_ / name), "0 /dev/null\n1 pipe:\n2 /dev/null\n") << name;
    }
}

TEST_F(PrologTraces, NoVariableReachesAShell) {
    const std::string mark = folder_ / "ran";
    const std::string command = "$(touch " + mark + ")`touch " + mark + "`;touch " + mark + ";";
    auto environment = variables();
    environment.push_back("CUDA_VISIBLE_DEVICES=" + command);
    environment.push_back("BASH_ENV=" + command);
    EXPECT_EQ(run_program({command}, environment).exit_status, 0);
    for (const char* name : {"SLURM_JOB_ID=",
                             "SLURMD_NODENAME=",
                             "SLURM_JOB_GPUS=",
                             "SLURM_JOB_RESTART_COUNT=",
                             "SLURM_CONF=/"}) {
        environment = variables();
        environment.insert(environment.begin(), name + command);  // getenv takes the first
        EXPECT_EQ(run_program({}, environment).exit_status, 0) << name;
    }
    EXPECT_FALSE(fs::exists(mark));
}

}  // namespace
}  // namespace yardmaster
