// What may hang, fill up or be missing around the prolog: it ends in time and leaves nothing
// behind.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>
#include <sstream>
#include <thread>

#include "tests/prolog/prolog_program.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kSlack;
using testing::Outcome;
using testing::PrologProgram;
using testing::run_command;
using testing::run_program;
using testing::write_file;

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Command lines of processes that bear `mark` in their environment or arguments.
std::vector<std::string> processes_with(const std::string& mark) {
    std::vector<std::string> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const bool other =
            std::isdigit(static_cast<unsigned char>(entry.path().filename().string().front())) !=
                0 &&
            entry.path().filename() != std::to_string(getpid());
        if (other &&
            (content(entry.path() / "environ") + content(entry.path() / "cmdline")).find(mark) !=
                std::string::npos) {
            found.push_back(content(entry.path() / "cmdline"));
        }
    }
    return found;
}

/// Shared memory that is not a test's scratch folder.
std::set<std::string> shared_memory() {
    std::set<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/dev/shm", error)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("ym-test-")) {
            names.insert(name);
        }
    }
    return names;
}

class PrologAmongFaults : public PrologProgram {
  protected:
    /// A killed child takes a moment to go.
    void expect_nothing_left() const {
        std::vector<std::string> left = processes_with(folder_.path());
        for (int tries = 0; tries < 200 && !left.empty(); ++tries) {
            std::this_thread::sleep_for(milliseconds(20));
            left = processes_with(folder_.path());
        }
        EXPECT_THAT(left, IsEmpty());
    }
    void expect_private(const std::string& folder) const {
        struct stat about {};
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            ASSERT_EQ(stat(entry.path().c_str(), &about), 0);
            EXPECT_EQ(about.st_mode & 077, 0u) << entry.path();
            EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
        }
        ASSERT_EQ(stat(folder.c_str(), &about), 0);
        EXPECT_EQ(about.st_mode & 077, 0u) << folder;
    }
    /// With every child from the `first`th on stopped for ever.
    Outcome run_with_hung_children(int first) const {
        auto environment = variables();
        environment.push_back("LD_PRELOAD=" YM_STOP_CHILDREN);
        environment.push_back("YM_STOP_CHILDREN_FROM=" + std::to_string(first));
        return run_program({}, environment);
    }
};

TEST_F(PrologAmongFaults, AnyChildMayHangForEver) {
    write_policy("\"deadline_s\": 0.5, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const auto memory = shared_memory();
    // Readers of three files, five readers of hardware, writers, drain, log: 14 at most.
    for (int first = 0; first < 14; ++first) {
        const Outcome outcome = run_with_hung_children(first);
        EXPECT_EQ(outcome.exit_status, 0) << first;
        EXPECT_LT(outcome.took, seconds(1) + kSlack) << first;
        EXPECT_NE(outcome.output, "") << first << ": a fault is never passed over in silence";
    }
    expect_nothing_left();
    EXPECT_EQ(shared_memory(), memory);
}

TEST_F(PrologAmongFaults, HungReadersOfAHealthyNodeAreUnknown) {
    write_policy("\"deadline_s\": 2, ");
    const Outcome outcome = run_with_hung_children(3);
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("unknown, job starts"));
    expect_nothing_left();
}

TEST_F(PrologAmongFaults, NothingIsLeftBehindAndNothingIsOpenToOthers) {
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const auto memory = shared_memory();
    EXPECT_EQ(run().exit_status, 0);
    expect_private(folder_ / "n0/evidence");
    expect_private(folder_ / "n0/state");
    expect_nothing_left();
    EXPECT_EQ(shared_memory(), memory);
}

TEST_F(PrologAmongFaults, FullDiskCostsTheEvidenceOnly) {
    kept_in_ = folder_ / "disk";
    fs::create_directory(kept_in_);
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    auto environment = variables();
    environment.push_back("PATH=/usr/bin:/bin");
    const Outcome outcome = run_command(
        {"/usr/bin/unshare",
         "-rm",
         "/bin/sh",
         "-c",
         "mount -t tmpfs -o size=64k tmpfs \"$1\" || exit 77; "
         "mkdir -m 700 \"$1/evidence\" \"$1/state\"; "
         "dd if=/dev/zero of=\"$1/fill\" 2>/dev/null; "
         "\"$2\"; code=$?; echo left: $(ls -A \"$1/evidence\" \"$1/state\" | grep json); "
         "exit $code",
         "sh",
         kept_in_,
         YM_PROLOG_PROGRAM},
        environment);
    if (outcome.exit_status == 77 || outcome.output.find("unshare") != std::string::npos) {
        GTEST_SKIP() << "may not mount: " << outcome.output;
    }
    EXPECT_EQ(outcome.exit_status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("degraded, report-only"));
    EXPECT_THAT(outcome.output, HasSubstr("No space left on device"));
    EXPECT_THAT(outcome.output, HasSubstr("state not kept"));
    EXPECT_THAT(outcome.output, HasSubstr("left:\n")) << "no part of a file";
}

TEST_F(PrologAmongFaults, FoldersInTheWayCostEvidenceAndStateOnly) {
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    write_file(folder_ / "n0/evidence", "a file in the way");
    write_file(folder_ / "n0/state", "a file in the way");
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("degraded, report-only"));
    EXPECT_THAT(outcome.output, HasSubstr("state not kept"));
}

TEST_F(PrologAmongFaults, NoVariableReachesAShell) {
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
