#include "prolog/policy.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

Result<HealthPolicy> parse(const std::string& text) {
    return parse_policy(text, "yardmaster.json", "n3");
}

TEST(Policy, EmptyFileGivesTheDefaults) {
    const auto policy = parse("{}");
    ASSERT_TRUE(policy);
    EXPECT_TRUE(policy->enforce);
    EXPECT_EQ(policy->deadline, std::chrono::milliseconds(7500));
    EXPECT_EQ(policy->sources.sysfs_root, "/sys");
    EXPECT_EQ(policy->evidence_dir, "/var/lib/yardmaster/evidence");
    EXPECT_EQ(policy->sources.state_dir, "/var/lib/yardmaster/state");
}

TEST(Policy, EveryKeyIsReadAndTheNodeNameIsPutIn) {
    const auto policy = parse(R"({
        "health": {"enforce": false, "deadline_s": 1.5, "evidence_dir": "/ev/%n/",
                   "state_dir": "/st/%n", "journal": "/jo/%n.jsonl",
                   "prometheus_file": "/pr/%n.prom",
                   "breaker": {"max_drains": 9, "max_same_cause": 8, "max_job_drains": 7,
                               "window_s": 60},
                   "sysfs_root": "/sim/%n/sys", "nvml_library": "/sim/%n/%n.so",
                   "nccl": {"mode": "on", "library": "/sim/%n/n.so", "cuda_library": "c.so",
                            "probe": "/p", "max_init_s": 2.5, "max_loss": 0.1,
                            "min_share": 0}}})");
    ASSERT_TRUE(policy) << policy.status().message();
    EXPECT_FALSE(policy->enforce);
    EXPECT_EQ(policy->deadline, std::chrono::milliseconds(1500));
    EXPECT_EQ(policy->evidence_dir, "/ev/n3");
    EXPECT_EQ(policy->breaker.max_drains, 9u);
    EXPECT_EQ(policy->breaker.max_same_cause, 8u);
    EXPECT_EQ(policy->breaker.max_job_drains, 7u);
    EXPECT_EQ(policy->breaker.window, std::chrono::seconds(60));
    EXPECT_EQ(policy->sources.sysfs_root, "/sim/n3/sys");
    EXPECT_EQ(policy->sources.nvml_library, "/sim/n3/n3.so");
    EXPECT_EQ(policy->sources.state_dir, "/st/n3");
    EXPECT_EQ(policy->journal, "/jo/n3.jsonl");
    EXPECT_EQ(policy->prometheus_file, "/pr/n3.prom");
    const NcclPolicy& nccl = policy->sources.nccl;
    EXPECT_EQ(nccl.mode, CheckMode::kOn);
    EXPECT_EQ(nccl.library, "/sim/n3/n.so");
    EXPECT_EQ(nccl.cuda_library, "c.so");
    EXPECT_EQ(nccl.probe, "/p");
    EXPECT_EQ(nccl.max_init, std::chrono::milliseconds(2500));
    EXPECT_EQ(nccl.max_loss, 0.1);
    EXPECT_EQ(nccl.min_share, 0);
}

TEST(Policy, SectionsOfOthersPassUnread) {
    const auto policy = parse(R"({"placement": {"hiden": "wide"}, "health": {"enforce": false}})");
    ASSERT_TRUE(policy) << policy.status().message();
    EXPECT_FALSE(policy->enforce);
    EXPECT_TRUE(parse(R"({"placement": 4})"));
}

TEST(Policy, MistakesAreNamedWithTheirPlace) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "yardmaster.json"},
        {"[]", "$"},
        {R"({"helth": {}})", "$.helth"},
        {R"({"health": {"enforced": true}})", "$.health.enforced"},
        {R"({"health": {"enforce": "yes"}})", "$.health.enforce"},
        {R"({"health": {"deadline_s": 0}})", "$.health.deadline_s"},
        {R"({"health": {"evidence_dir": "relative"}})", "$.health.evidence_dir"},
        {R"({"health": {"prometheus_file": "/x/y.txt"}})", "$.health.prometheus_file"},
        {R"({"health": {"breaker": {"max_drains": -1}}})", "$.health.breaker.max_drains"},
        {R"({"health": {"nccl": {"mode": true}}})", "$.health.nccl.mode"},
        {R"({"health": {"nccl": {"mode": "yes"}}})", "$.health.nccl.mode"},
        {R"({"health": {"breaker": {"drains": 1}}})", "$.health.breaker.drains"}};
    for (const auto& [text, place] : cases) {
        const auto policy = parse(text);
        ASSERT_FALSE(policy) << text;
        EXPECT_EQ(policy.status().code(), ErrorCode::kMalformed);
        EXPECT_NE(policy.status().message().find(place), std::string::npos)
            << policy.status().message();
    }
}

}  // namespace
}  // namespace yardmaster
