#include "prolog/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/healthcheck/simulated_node.hpp"

namespace yardmaster {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;
using testing::write_file;

JournalEntry sample(std::time_t time = 1700000000) {
    JournalEntry entry;
    entry.time = time;
    entry.node = "yard04";
    entry.job = 14;
    entry.occasion = kOccasionProlog;
    entry.verdict = Verdict::kDegraded;
    entry.action = "drained";
    entry.cause = "mlx5_3 100/400Gb";
    entry.driver = "550.54.15";
    entry.evidence_id = "yard04-14-1700000000";
    entry.objects = {{"mlx5_3", "port.rate", 3, "28.39.1002"}, {"GPU2", "gpu.ecc", {}, ""}};
    return entry;
}

TEST(Journal, EntriesReadBackInTheirOrder) {
    const ScratchFolder folder;
    const std::string file = folder / "deep/journal.jsonl";
    ASSERT_TRUE(append_journal(sample(1), file));
    ASSERT_TRUE(append_journal(sample(2), file));
    const auto journal = read_journal(file);
    ASSERT_TRUE(journal) << journal.status().message();
    EXPECT_THAT(journal->entries, ::testing::ElementsAre(sample(1), sample(2)));
    EXPECT_TRUE(journal->faults.empty());
    struct stat about {};
    ASSERT_EQ(stat(file.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
}

TEST(Journal, FullFileIsRotatedAndNothingOfItLost) {
    const ScratchFolder folder;
    const std::string file = folder / "journal.jsonl";
    constexpr std::size_t kRoomForThree = 1200;
    for (int i = 1; i <= 4; ++i) {
        ASSERT_TRUE(append_journal(sample(i), file, kRoomForThree));
    }
    const auto old = read_journal(file + ".1");
    const auto fresh = read_journal(file);
    ASSERT_TRUE(old && fresh);
    EXPECT_EQ(old->entries.size() + fresh->entries.size(), 4u);
    EXPECT_EQ(fresh->entries.back().time, 4);
    EXPECT_LE(std::filesystem::file_size(file + ".1"), kRoomForThree);
}

TEST(Journal, TornLineCostsItselfOnly) {
    const ScratchFolder folder;
    const std::string file = folder / "journal.jsonl";
    ASSERT_TRUE(append_journal(sample(1), file));
    std::ofstream(file, std::ios::app) << "{\"time\": 17";
    ASSERT_TRUE(append_journal(sample(2), file));
    const auto journal = read_journal(file);
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->entries.size(), 2u);
    ASSERT_EQ(journal->faults.size(), 1u);
    EXPECT_THAT(journal->faults[0], HasSubstr("journal.jsonl:2: "));
}

TEST(Journal, ManyWritersAtOnceLoseNoLineAlsoWhenItRotates) {
    const ScratchFolder folder;
    const std::string file = folder / "journal.jsonl";
    constexpr int kWriters = 8;
    constexpr int kLines = 20;
    const std::size_t limit = to_json(sample()).dump_exact().size() * kWriters * kLines * 2 / 3;
    for (int writer = 0; writer < kWriters; ++writer) {
        if (fork() == 0) {
            bool good = true;
            for (int line = 0; line < kLines; ++line) {
                good = good && append_journal(sample(), file, limit).is_ok();
            }
            _exit(good ? 0 : 1);
        }
    }
    for (int writer = 0; writer < kWriters; ++writer) {
        int status = 1;
        wait(&status);
        EXPECT_EQ(status, 0);
    }
    const auto old = read_journal(file + ".1");
    const auto fresh = read_journal(file);
    ASSERT_TRUE(old && fresh);
    EXPECT_EQ(old->entries.size() + fresh->entries.size(), std::size_t{kWriters * kLines});
    EXPECT_TRUE(old->faults.empty() && fresh->faults.empty());
}

TEST(Journal, PlantedLinkIsNotFollowed) {
    const ScratchFolder folder;
    write_file(folder / "victim", "untouched");
    std::filesystem::create_symlink(folder / "victim", folder / "journal.jsonl");
    EXPECT_EQ(append_journal(sample(), folder / "journal.jsonl").code(), ErrorCode::kUnreadable);
    EXPECT_EQ(std::filesystem::file_size(folder / "victim"), 9u);
}

TEST(Journal, FullDiskIsAnErrorValue) {
    EXPECT_EQ(append_journal(sample(), "/dev/full/journal").code(), ErrorCode::kUnreadable);
    EXPECT_EQ(read_journal("/nonexistent/journal").status().code(), ErrorCode::kNotFound);
}

class JournalEntryOf : public testing::SimulatedNode {};

TEST_F(JournalEntryOf, DegradedRailHasItsNumberAndFirmware) {
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    ASSERT_TRUE(node_.change_gpu(5, [](sim::SimGpu& gpu) { gpu.lost = true; }));
    Evidence evidence;
    evidence.report = run();
    evidence.id = "n0-7-1700000000";
    evidence.action.outcome = "drained";
    const JournalEntry entry = journal_entry(evidence, node_.sysfs_root());
    EXPECT_EQ(entry.verdict, Verdict::kDegraded);
    EXPECT_EQ(entry.cause, "mlx5_3 100/400Gb");
    EXPECT_TRUE(entry.simulated);
    ASSERT_GE(entry.objects.size(), 2u);
    EXPECT_EQ(entry.objects[0], (JournalObject{"mlx5_3", "port.rate", 3, "28.39.1002"}));
    EXPECT_EQ(entry.objects[1].object, "GPU5");
    EXPECT_FALSE(entry.objects[1].rail);
}

}  // namespace
}  // namespace yardmaster
