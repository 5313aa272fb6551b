#include "healthcheck/budget/collect.hpp"

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace yardmaster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// What a loaded machine may add to a deadline; far below the minutes that the hanging bodies take.
constexpr seconds kSlack{20};

Task hanging(const std::string& first_line) {
    return {"hanging", [first_line](int fd) {
                write_line(fd, first_line);
                signal(SIGTERM, SIG_IGN);
                sleep(600);
            }};
}

TEST(Collect, DeliversLinesOfAllTasks) {
    std::vector<std::string> lines;
    const auto deadline = Clock::now() + seconds(60);
    const auto ends = collect({{"a", [](int fd) { write_line(fd, "one"); }},
                               {"b", [](int fd) { write_line(fd, std::string(200000, 'x')); }}},
                              deadline,
                              [&](const std::string& line) {
                                  lines.push_back(line);
                                  return deadline;
                              });
    EXPECT_THAT(lines, ::testing::UnorderedElementsAre("one", std::string(200000, 'x')));
    EXPECT_TRUE(ends[0].finished);
    EXPECT_TRUE(ends[1].finished);
}

TEST(Collect, HungChildCostsOnlyTheDeadlineAndItsLinesAreKept) {
    const auto begin = Clock::now();
    const auto deadline = begin + milliseconds(300);
    std::vector<std::string> lines;
    const auto ends = collect({hanging("before the hang")}, deadline, [&](const std::string& line) {
        lines.push_back(line);
        return deadline;
    });
    EXPECT_LT(Clock::now() - begin, milliseconds(300) + kSlack);
    EXPECT_THAT(lines, ::testing::ElementsAre("before the hang"));
    EXPECT_FALSE(ends[0].finished);
}

TEST(Collect, LineMayShortenTheDeadline) {
    const auto begin = Clock::now();
    collect({hanging("certain")}, begin + seconds(300), [&](const std::string&) {
        return Clock::now();
    });
    EXPECT_LT(Clock::now() - begin, kSlack);
}

TEST(Collect, HungChildIsKilled) {
    pid_t pid = 0;
    const auto deadline = Clock::now() + seconds(60);
    collect({{"hanging",
              [](int fd) {
                  write_line(fd, std::to_string(getpid()));
                  sleep(600);
              }}},
            deadline,
            [&](const std::string& line) {
                pid = std::stoi(line);
                return Clock::now();
            });
    ASSERT_GT(pid, 0);
    waitpid(pid, nullptr, 0);  // returns at once either way: it is dead, or reaped already
    EXPECT_EQ(kill(pid, 0), -1);
}

TEST(Collect, ThrowingBodyEndsOnlyItsChild) {
    const auto lines =
        run_task({"throwing", [](int) { throw std::string("x"); }}, Clock::now() + seconds(60));
    ASSERT_TRUE(lines);
    EXPECT_TRUE(lines->empty());
}

TEST(RunTask, TimeoutIsAnError) {
    const auto lines = run_task(hanging("x"), Clock::now() + milliseconds(100));
    EXPECT_EQ(lines.status().code(), ErrorCode::kTimeout);
}

/// Sends what the child's descriptors lead to.
void send_descriptors(int fd) {
    DIR* folder = opendir("/proc/self/fd");
    while (const dirent* entry = readdir(folder)) {
        char target[256] = "";
        const std::string link = std::string("/proc/self/fd/") + entry->d_name;
        if (readlink(link.c_str(), target, sizeof target - 1) > 0 &&
            std::stoi(entry->d_name) != dirfd(folder)) {
            write_line(fd, std::string(entry->d_name) + " " + target);
        }
    }
    closedir(folder);
}

TEST(Child, HoldsNoDescriptorButItsPipe) {
    const int extra = dup(STDOUT_FILENO);
    ASSERT_GT(extra, 2);
    const auto lines = run_task({"lister", send_descriptors}, Clock::now() + seconds(60));
    close(extra);
    ASSERT_TRUE(lines);
    EXPECT_THAT(*lines,
                ::testing::UnorderedElementsAre(
                    "0 /dev/null", "1 /dev/null", "2 /dev/null", ::testing::StartsWith("3 pipe:")));
}

}  // namespace
}  // namespace yardmaster
