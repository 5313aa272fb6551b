#include "plugin/spank/job_note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <map>

#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

std::map<std::string, std::string> environment;

const char* get(const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
}

JobNote a_note() {
    return {{0, 1, 6}, "yard[01-02]", "order=domain gpus=3 nodes=yard[02,01]", {1, 2, "yard02"}};
}

TEST(JobNote, IsReadFromAPrologsEnvironment) {
    environment = {{"SLURM_JOB_GPUS", "6,0-1"},
                   {"SLURM_JOB_NODELIST", "yard[01-02]"},
                   {"SLURMD_NODENAME", "yard01"},
                   {"SPANK_YARDMASTER_RANKS", "order=domain gpus=3 nodes=yard[02,01]"}};
    const auto note = note_from_environment(&get);
    ASSERT_TRUE(note);
    EXPECT_EQ(*note, a_note());
}

TEST(JobNote, OlderSlurmHasAnotherNameForTheNodes) {
    environment = {{"SLURM_NODELIST", "yard[01-02]"}, {"SLURMD_NODENAME", "yard02"}};
    const auto note = note_from_environment(&get);
    ASSERT_TRUE(note);
    EXPECT_EQ(note->nodes, "yard[01-02]");
    EXPECT_EQ(note->place, (JobPlace{1, 2, "yard01"}));
    EXPECT_EQ(note->sheet, "");
    EXPECT_TRUE(note->gpus.empty());
}

TEST(JobNote, BadGpuListsAreRefused) {
    for (const char* list : {"x", "1-", "3-1", "0,,1", "99999", "0-1023,0-1023"}) {
        environment = {{"SLURM_JOB_GPUS", list}};
        const auto note = note_from_environment(&get);
        ASSERT_FALSE(note) << list;
        EXPECT_THAT(note.status().message(), HasSubstr(list));
    }
}

TEST(JobNote, WhatContradictsItselfIsNoNote) {
    environment = {{"SLURM_NODELIST", "yard[01-02]"}, {"SLURMD_NODENAME", "yard03"}};
    EXPECT_THAT(note_from_environment(&get).status().message(), HasSubstr("yard03"));
    environment["SLURMD_NODENAME"] = "yard01";
    environment["SPANK_YARDMASTER_RANKS"] = "order=best nodes=yard01";
    EXPECT_THAT(note_from_environment(&get).status().message(), HasSubstr("order=best"));
}

TEST(JobNote, ANewlineCannotForgeAnotherLine) {
    environment = {{"SLURM_NODELIST", "yard01"},
                   {"SLURMD_NODENAME", "yard01"},
                   {"SPANK_YARDMASTER_RANKS", "order=domain\ngpus=7 nodes=yard01"}};
    const ScratchFolder folder;
    const std::string path = folder.path() + "/1.yard01";
    ASSERT_TRUE(write_note(path, *note_from_environment(&get)));
    const auto note = read_note(path);
    ASSERT_TRUE(note);
    EXPECT_TRUE(note->gpus.empty());
    EXPECT_EQ(note->sheet, "order=domain gpus=7 nodes=yard01");
}

TEST(JobNote, IsWrittenReplacedReadAndRemoved) {
    const ScratchFolder folder;
    const auto path = note_path(folder.path() + "/ranks", 17, "yard01");
    ASSERT_TRUE(path);
    EXPECT_EQ(*path, folder.path() + "/ranks/17.yard01");
    ASSERT_TRUE(write_note(*path, JobNote{{}, "n1", "", {0, 1, "n1"}}));
    ASSERT_TRUE(write_note(*path, a_note()));
    EXPECT_EQ(*read_note(*path), a_note());
    struct stat found {};
    ASSERT_EQ(stat(path->c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0644U) << "users' tasks read it, whatever slurmd's umask is";
    remove_note(*path);
    EXPECT_EQ(read_note(*path).status().code(), ErrorCode::kNotFound);
}

TEST(JobNote, NodeNamesCannotLeadOutOfTheFolder) {
    for (const char* node : {"", "../x", "a/b"}) {
        EXPECT_EQ(note_path("/run/x", 1, node).status().code(), ErrorCode::kInvalidArgument)
            << node;
    }
}

TEST(JobNote, DamagedAndOversizedFilesAreRefused) {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/1.a";
    std::ofstream(path) << "gpus=0\nplace=0 1 a\nnodes=a\n";
    EXPECT_EQ(read_note(path).status().code(), ErrorCode::kMalformed);
    std::ofstream(path) << "gpus=zero\nplace=0 1 a\nnodes=a\nsheet=\n";
    EXPECT_EQ(read_note(path).status().code(), ErrorCode::kMalformed);
    for (const char* place : {"", "0", "0 1", "0 1 ", "1 1 a", "x 1 a", "0 x a"}) {
        std::ofstream(path) << "gpus=0\nplace=" << place << "\nnodes=a\nsheet=\n";
        EXPECT_EQ(read_note(path).status().code(), ErrorCode::kMalformed) << place;
    }
    std::ofstream(path) << "gpus=0\nnodes=a\nsheet=" << std::string(1 << 20, 'x') << "\n";
    EXPECT_EQ(read_note(path).status().code(), ErrorCode::kUnreadable);
}

TEST(JobNote, AFolderThatCannotBeMadeIsAnError) {
    const Status status = write_note("/proc/none/1.a", a_note());
    EXPECT_FALSE(status);
    EXPECT_THAT(status.message(), HasSubstr("/proc/none"));
}

TEST(JobNote, ALinkIsNotFollowed) {
    const ScratchFolder folder;
    const std::string victim = folder.path() + "/victim";
    const std::string path = folder.path() + "/1.a";
    std::ofstream(victim) << "precious\n";
    ASSERT_EQ(symlink(victim.c_str(), path.c_str()), 0);
    EXPECT_FALSE(read_note(path));
    ASSERT_TRUE(write_note(path, a_note()));
    std::string line;
    std::getline(std::ifstream(victim), line);
    EXPECT_EQ(line, "precious");
    EXPECT_EQ(*read_note(path), a_note());
}

}  // namespace
}  // namespace yardmaster
