// job_submit from many threads at once, as Slurm calls it from 23.02 on. The thread sanitizer
// (preset tsan) sees what this test can only provoke.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "plugin/abi/job_submit_hooks.h"
#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 200;

struct Submission {
    const char* constraint;
    std::uint32_t nodes;
    const char* nodelist = nullptr;
};

// Taken, refused by the fabric, refused by its words, without a hint; with the placer asked.
constexpr Submission kSubmissions[] = {{"h100&tp8", 4},
                                       {"leaf", 6},
                                       {"leaf|h100", 2},
                                       {"h100", 2},
                                       {"pp2&rail&h100", 2},
                                       {"leaf", 2, "n[0,4]"}};

/// Everything that Slurm sees of one call.
std::string outcome(const Submission& submission) {
    ym_job_desc desc;
    desc.features = submission.constraint;
    desc.submission.min_nodes = desc.submission.max_nodes = submission.nodes;
    desc.submission.tres_per_node = "gres:gpu:8";
    desc.submission.nodelist = submission.nodelist;
    char message[1024] = "";
    const int code = ym_hook_job_submit(&desc, message, sizeof(message));
    return std::to_string(code) + " " + desc.features.value_or("-") + " " + desc.env[YM_HINTS_ENV] +
           " " + message;
}

/// Submits over and over; returns how often the outcome was not the expected one.
int submit_all(const std::vector<std::string>& expected) {
    int wrong = 0;
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            wrong += outcome(kSubmissions[i]) != expected[i] ? 1 : 0;
        }
    }
    return wrong;
}

std::vector<std::string> expected_outcomes() {
    std::vector<std::string> expected;
    for (const Submission& submission : kSubmissions) {
        expected.push_back(outcome(submission));
    }
    return expected;
}

TEST(Threads, SubmissionsDoNotDisturbEachOther) {
    FakeHost host;
    const auto expected = expected_outcomes();
    EXPECT_THAT(expected[0], ::testing::StartsWith(std::to_string(YM_SUBMIT_OK)));
    EXPECT_THAT(expected[1], ::testing::StartsWith(std::to_string(YM_SUBMIT_IMPOSSIBLE)));
    EXPECT_THAT(expected[2], ::testing::StartsWith(std::to_string(YM_SUBMIT_BAD_HINT)));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] { wrong += submit_all(expected); });
    }
    // The file's contents stay; that it is another file has every thread take it up anew.
    for (int i = 0; i < 20; ++i) {
        host.rewrite_fabric();
        std::this_thread::yield();
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace yardmaster::testing
