#include "healthcheck/baseline/state_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster {
namespace state_test {

struct Tally {
    std::int64_t count = 0;
};

Status from_json(const JsonNode& node, Tally& tally) {
    const auto member = node.at("count");
    const auto count = member ? member->integer(0, 100) : Result<std::int64_t>(member.status());
    if (count) {
        tally.count = *count;
    }
    return count.status();
}

}  // namespace state_test

namespace {

namespace fs = std::filesystem;
using state_test::Tally;
using testing::ScratchFolder;

JsonValue tally(int count) {
    return JsonValue::object().set("count", count);
}

unsigned mode_of(const std::string& file) {
    struct stat about {};
    EXPECT_EQ(lstat(file.c_str(), &about), 0) << file;
    return about.st_mode & 0777;
}

TEST(StateFile, KeepsASubjectForItsOwnerAlone) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "deep/state";
    ASSERT_TRUE(write_state(folder, "counters", tally(7)));
    ASSERT_TRUE(write_state(folder, "counters", tally(8)));
    const auto kept = read_state<Tally>(folder, "counters");
    ASSERT_TRUE(kept.state) << kept.note;
    EXPECT_EQ(kept.state->count, 8);
    EXPECT_EQ(mode_of(folder), 0700u);
    EXPECT_EQ(mode_of(folder + "/counters.json"), 0600u);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "no temporary file";
}

TEST(StateFile, WhatWasNeverKeptIsAbsentWithoutANote) {
    const ScratchFolder scratch;
    const auto kept = read_state<Tally>(scratch / "none", "counters");
    EXPECT_FALSE(kept.state);
    EXPECT_EQ(kept.note, "");
}

TEST(StateFile, DamagedFileIsAbsentAndNamed) {
    const ScratchFolder scratch;
    for (const char* text : {"", "{\"count\": 7", "[]", "{\"count\": -1}", "\xff\xfe"}) {
        testing::write_file(scratch / "counters.json", text);
        const auto kept = read_state<Tally>(scratch.path(), "counters");
        EXPECT_FALSE(kept.state) << text;
        EXPECT_THAT(kept.note, ::testing::HasSubstr("counters")) << text;
    }
}

TEST(StateFile, ForeignFilesAreNotUsed) {
    const ScratchFolder scratch;
    const std::string file = scratch / "counters.json";
    testing::write_file(file, "{\"count\": 7}");
    fs::permissions(file, fs::perms(0666));
    EXPECT_THAT(read_state<Tally>(scratch.path(), "counters").note,
                ::testing::HasSubstr("nobody else can write"));
    fs::rename(file, scratch / "target");
    fs::permissions(scratch / "target", fs::perms(0600));
    fs::create_symlink(scratch / "target", file);
    EXPECT_FALSE(read_state<Tally>(scratch.path(), "counters").state);
    EXPECT_NE(read_state<Tally>(scratch.path(), "counters").note, "");
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_NE(read_state<Tally>(scratch.path(), "counters").note, "") << "and does not block";
}

TEST(StateFile, SizeHasALimitBothWays) {
    const ScratchFolder scratch;
    testing::write_file(scratch / "counters.json", std::string(kMaxStateBytes + 1, ' '));
    fs::permissions(scratch / "counters.json", fs::perms(0600));
    EXPECT_THAT(read_state<Tally>(scratch.path(), "counters").note,
                ::testing::HasSubstr("limit 1048576"));
    const auto huge = JsonValue::object().set("text", std::string(kMaxStateBytes, 'x'));
    EXPECT_EQ(write_state(scratch.path(), "counters", huge).code(), ErrorCode::kInvalidArgument);
}

TEST(StateFile, SubjectIsAWord) {
    const ScratchFolder scratch;
    for (const char* subject : {"", "../x", "a/b", "A", "a.b"}) {
        EXPECT_EQ(write_state(scratch.path(), subject, tally(1)).code(),
                  ErrorCode::kInvalidArgument)
            << subject;
    }
}

TEST(StateFile, UnwritablePlaceIsAnErrorAndKeepsTheOldState) {
    const ScratchFolder scratch;
    testing::write_file(scratch / "file", "in the way");
    EXPECT_EQ(write_state(scratch / "file/state", "counters", tally(1)).code(),
              ErrorCode::kUnreadable);
    ASSERT_TRUE(write_state(scratch.path(), "counters", tally(1)));
    fs::create_directory(scratch / (".counters.json." + std::to_string(getpid()) + ".tmp"));
    EXPECT_EQ(write_state(scratch.path(), "counters", tally(2)).code(), ErrorCode::kUnreadable);
    EXPECT_EQ(read_state<Tally>(scratch.path(), "counters").state->count, 1);
}

}  // namespace
}  // namespace yardmaster
