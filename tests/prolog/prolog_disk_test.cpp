// What of the prolog's disk may be full or missing: it costs evidence and state, never the verdict.
#include "tests/prolog/prolog_among_faults.hpp"

namespace yardmaster {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::PrologAmongFaults;
using testing::write_file;

namespace fs = std::filesystem;

class PrologDisk : public PrologAmongFaults {
  protected:
    PrologDisk() { EXPECT_TRUE(node_.set_rate("mlx5_3", 100)); }
    static void expect_verdict_without_state(const Outcome& outcome) {
        EXPECT_EQ(outcome.exit_status, 0) << outcome.output;
        EXPECT_THAT(outcome.output, HasSubstr("degraded, report-only"));
        EXPECT_THAT(outcome.output, HasSubstr("evidence not kept"));
        EXPECT_THAT(outcome.output, HasSubstr("state not kept"));
    }
};

TEST_F(PrologDisk, FullOneLeavesNoPartOfAFile) {
    if (!testing::may_unshare()) {
        GTEST_SKIP() << "this user may not mount";
    }
    kept_in_ = folder_ / "disk";
    fs::create_directory(kept_in_);
    write_policy("\"enforce\": false, ");
    const Outcome outcome = run_in_script(
        "mount -t tmpfs -o size=64k tmpfs \"$1\"\n"
        "mkdir -m 700 \"$1/evidence\" \"$1/state\"\n"
        "dd if=/dev/zero of=\"$1/fill\" 2>/dev/null || true\n"
        "\"$2\"\n"
        "echo left: $(ls -A \"$1/evidence\" \"$1/state\" | grep json)",
        kept_in_);
    expect_verdict_without_state(outcome);
    EXPECT_THAT(outcome.output, HasSubstr("No space left on device"));
    EXPECT_THAT(outcome.output, HasSubstr("left:\n")) << "no part of a file";
}

TEST_F(PrologDisk, FoldersInTheWayCostEvidenceAndStateOnly) {
    write_policy("\"enforce\": false, ");
    write_file(folder_ / "n0/evidence", "a file in the way");
    write_file(folder_ / "n0/state", "a file in the way");
    expect_verdict_without_state(run());
}

TEST_F(PrologDisk, FoldersThatCannotBeMadeCostEvidenceAndStateOnly) {
    kept_in_ = "/proc/nowhere";
    write_policy("\"enforce\": false, ");
    expect_verdict_without_state(run());
}

TEST_F(PrologDisk, MissingFoldersAreMade) {
    kept_in_ = folder_ / "not/there/yet";
    write_policy("\"enforce\": false, ");
    EXPECT_EQ(run().exit_status, 0);
    EXPECT_TRUE(fs::exists(kept_in_ + "/state/counters.json"));
    const auto ids = list_evidence(kept_in_ + "/evidence");
    ASSERT_TRUE(ids);
    EXPECT_EQ(ids->size(), 1u);
}

}  // namespace
}  // namespace yardmaster
