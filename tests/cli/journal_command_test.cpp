// `yardmaster journal`: counts over the journals of several nodes.
#include <gmock/gmock.h>

#include "cli/since.hpp"
#include "tests/cli/review_site.hpp"

namespace yardmaster::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class JournalCommand : public ReviewSite {
  protected:
    static JournalEntry incident(const std::string& node, std::time_t time, unsigned rail) {
        JournalEntry entry;
        entry.time = time;
        entry.node = node;
        entry.occasion = kOccasionProlog;
        entry.verdict = Verdict::kDegraded;
        entry.action = "drained";
        const std::string nic = "mlx5_" + std::to_string(rail);
        entry.objects = {{nic, "port.rate", rail, "28.39.1002"}, {nic, "port.flap", rail, ""}};
        return entry;
    }
    /// Two nodes with the same rail, one with another, a re-check and a resume.
    std::vector<std::string> two_files() const {
        const std::string first = folder_ / "yard04.jsonl";
        const std::string second = folder_ / "yard05.jsonl";
        JournalEntry kept = incident("yard05", 3000, 6);
        kept.action = "breaker";
        kept.objects[0].firmware = "28.40.1000";
        JournalEntry recheck = incident("yard04", 4000, 3);
        recheck.occasion = kOccasionRecheck;
        recheck.verdict = Verdict::kHealthy;
        JournalEntry resume = recheck;
        resume.occasion = kOccasionResume;
        EXPECT_TRUE(append_journal(incident("yard04", 1000, 3), first));
        EXPECT_TRUE(append_journal(recheck, first));
        EXPECT_TRUE(append_journal(resume, first));
        EXPECT_TRUE(append_journal(incident("yard05", 2000, 3), second));
        EXPECT_TRUE(append_journal(kept, second));
        return {first, second};
    }
};

TEST_F(JournalCommand, CountsByEachThingThatIncidentsShare) {
    const auto files = two_files();
    const CommandRun run = run_command({"journal", files[0], files[1]});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("3 incidents on 2 nodes from "));
    EXPECT_THAT(run.out, HasSubstr(": 2 drains, 1 re-check (1 healthy), 1 resume\n"));
    EXPECT_THAT(run.out, ContainsRegex("\nCAUSE +INCIDENTS +DRAINS +LAST\nport.flap +3 +2 "));
    EXPECT_THAT(run.out, ContainsRegex("\nyard05 +2 +1 "));
    EXPECT_THAT(run.out, ContainsRegex("\nyard04 mlx5_3 +1 +1 "));
    EXPECT_THAT(run.out, ContainsRegex("\nRAIL +INCIDENTS.*\n3 +2 +2 .*\n6 +1 +0 "));
    EXPECT_THAT(run.out, ContainsRegex("\n28.39.1002 +2 +2 .*\n28.40.1000 +1 +0 "));
    EXPECT_THAT(run.out, Not(HasSubstr("SIMULATED")));
}

TEST_F(JournalCommand, SinceLeavesOutWhatIsOlder) {
    const auto files = two_files();
    const CommandRun run =
        run_command({"journal", files[0], files[1], "--since", "1970-01-03", "--json"});
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    EXPECT_EQ(*document->root().at("incidents")->integer(0, 10), 0);
}

TEST_F(JournalCommand, OwnJournalIsReadWithTheOneBeforeIt) {
    ASSERT_TRUE(append_journal(incident("yard04", 1000, 3), journal_file() + ".1"));
    ASSERT_TRUE(append_journal(incident("yard04", 2000, 3), journal_file()));
    EXPECT_THAT(run_command({"journal"}).out, HasSubstr("2 incidents on 1 node "));
}

TEST_F(JournalCommand, NoJournalYetIsNoIncident) {
    const CommandRun run = run_command({"journal"});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, HasSubstr("0 incidents on 0 nodes: 0 drains"));
}

TEST_F(JournalCommand, FileThatIsNamedMustBeThereAndBadLinesAreTold) {
    EXPECT_EQ(run_command({"journal", folder_ / "none.jsonl"}).code, 3);
    yardmaster::testing::write_file(folder_ / "bad.jsonl", "{}\n");
    const CommandRun run = run_command({"journal", folder_ / "bad.jsonl"});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.err, HasSubstr("bad.jsonl:1: "));
}

TEST(Since, FormsAreRead) {
    constexpr std::time_t kNow = 1700000000;
    EXPECT_EQ(*parse_since("30m", kNow), kNow - 1800);
    EXPECT_EQ(*parse_since("12h", kNow), kNow - 43200);
    EXPECT_EQ(*parse_since("7d", kNow), kNow - 604800);
    EXPECT_EQ(*parse_since("2026-11-30T01:00", kNow) - *parse_since("2026-11-30", kNow), 3600);
    for (const char* text : {"", "d", "-1d", "7", "7w", "2026-13-01", "2026-11-30T", "yesterday"}) {
        EXPECT_EQ(parse_since(text, kNow).status().code(), ErrorCode::kInvalidArgument) << text;
    }
}

}  // namespace
}  // namespace yardmaster::cli
