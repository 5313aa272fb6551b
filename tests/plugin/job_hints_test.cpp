#include "plugin/common/job_hints.hpp"

#include <gtest/gtest.h>

#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

std::string settled(ym_job* job) {
    ym_job_info info;
    ym_job_read(job, &info);
    const auto hints = settle_hints(job, &info);
    EXPECT_TRUE(hints) << hints.status().message();
    EXPECT_EQ(info.next_hints, nullptr);
    return hints ? hints->to_string() : "?";
}

TEST(JobHints, StoredWordsAreRead) {
    FakeHost host;
    EXPECT_EQ(settled(FakeHost::new_job(8, "tp8&pp2")), "tp8&pp2");
    EXPECT_EQ(settled(FakeHost::new_job(8)), "");
}

TEST(JobHints, UnreadableWordsAreAnError) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8&h100");
    ym_job_info info;
    ym_job_read(job, &info);
    EXPECT_FALSE(settle_hints(job, &info));
}

TEST(JobHints, AnnouncedHintsHoldOnceTheFeaturesAreAccepted) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    announce_hints(job, *parse_hints("tp4&leaf"), "h100&fast");
    EXPECT_EQ(job->env[YM_HINTS_ENV], "tp8");
    job->features = "h100&fast";
    EXPECT_EQ(settled(job), "tp4&leaf");
    EXPECT_EQ(job->env, (FakeEnv{{YM_HINTS_ENV, "tp4&leaf"}}));
}

TEST(JobHints, AnnouncedHintsAreDroppedWhenTheFeaturesWereRefused) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    job->features = "h100";
    announce_hints(job, *parse_hints("tp4"), "nowhere");
    EXPECT_EQ(settled(job), "tp8");
    EXPECT_EQ(job->env, (FakeEnv{{YM_HINTS_ENV, "tp8"}}));
}

TEST(JobHints, SameFeaturesTakeTheAnnouncedHints) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    job->features = "h100";
    announce_hints(job, *parse_hints("tp4"), "h100");
    EXPECT_EQ(settled(job), "tp4");
}

TEST(JobHints, FeaturesWithAlternativesAreCompared) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    announce_hints(job, *parse_hints("tp4"), "(a|b)");
    job->features = "(a|b)";
    EXPECT_EQ(settled(job), "tp4");
}

TEST(JobHints, HintsAloneMeanNoFeatures) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    announce_hints(job, *parse_hints("tp4"), "");
    EXPECT_EQ(settled(job), "tp4");
}

TEST(JobHints, FeaturesAloneTakeTheHintsAway) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    announce_hints(job, Hints{}, "h100");
    job->features = "h100";
    EXPECT_EQ(settled(job), "");
    EXPECT_EQ(job->env, FakeEnv{});
}

TEST(JobHints, DamagedAnnouncementIsDropped) {
    FakeHost host;
    ym_job* job = FakeHost::new_job(8, "tp8");
    job->env[YM_NEXT_HINTS_ENV] = "tp4";
    EXPECT_EQ(settled(job), "tp8");
}

}  // namespace
}  // namespace yardmaster::testing
