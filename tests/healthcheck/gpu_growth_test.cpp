#include "healthcheck/gpu/gpu_growth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "healthcheck/baseline/next_baseline.hpp"
#include "healthcheck/gpu/gpu_counters.hpp"

namespace yardmaster {
namespace {

using ::testing::HasSubstr;

NvmlNumber number(std::uint64_t value) {
    return {kNvmlSuccess, value};
}

/// One GPU of 18 active NVLinks, an hour after its baseline.
class GpuGrowth : public ::testing::Test {
  protected:
    GpuGrowth() {
        gpu_.handle_code = kNvmlSuccess;
        gpu_.minor = number(3);
        gpu_.uuid = "GPU-3";
        gpu_.mig_mode = number(0);
        gpu_.nvlinks.assign(18, number(1));
        scope_.gpus = {3};
        readings_.boot_id = readings_.baseline.boot_id = "boot";
        readings_.uptime_s = 7200;
        readings_.nvml.loaded = true;
        readings_.nvml.device_count = number(1);
        readings_.nvml.driver = past().driver = "550.54.15";
        past().uptime_s = 3600;
    }
    CounterSnapshot& past() { return readings_.baseline.objects["GPU-3"]; }
    void count(const std::string& field,
               std::size_t link,
               std::uint64_t before,
               std::uint64_t now) {
        auto& links = gpu_.nvlink.fields[field];
        links.resize(18, number(0));
        links[link] = number(now);
        for (std::size_t other = 0; other < links.size(); ++other) {
            past().counters.try_emplace(link_counter_name(field, other), 0);
        }
        past().counters[link_counter_name(field, link)] = before;
    }
    void replays(std::uint64_t before, std::uint64_t now) {
        gpu_.pcie.replays = number(now);
        past().counters[kPcieReplays] = before;
    }
    std::vector<Finding> judge() const {
        return judge_gpu_growth("GPU3", gpu_, scope_.counters, readings_);
    }
    /// The kept moment of the GPU's baseline after this check.
    double next() {
        readings_.gpus = {gpu_};
        return next_baseline(scope_, readings_).objects.at("GPU-3").uptime_s;
    }

    CheckScope scope_;
    GpuReading gpu_;
    Readings readings_;
};

TEST_F(GpuGrowth, EveryCountHasALimit) {
    std::map<std::string, unsigned> limits{{"crc", 360000}, {"link_recovery_failed", 0}};
    for (const char* field : {"replay",
                              "recovery",
                              "malformed_packet",
                              "buffer_overrun",
                              "receive",
                              "receive_remote",
                              "receive_general",
                              "local_link_integrity",
                              "link_recovery"}) {
        limits[field] = 60;  // one a minute
    }
    for (const auto& [field, limit] : limits) {
        count(field, 7, 5, 5 + limit);
        EXPECT_TRUE(judge().empty()) << field;
        count(field, 7, 5, 6 + limit);
        ASSERT_EQ(judge().size(), 1u) << field;
        EXPECT_THAT(judge()[0].detail,
                    HasSubstr(field + " of NVLink 7 by " + std::to_string(limit + 1)));
        count(field, 7, 0, 0);
    }
}

TEST_F(GpuGrowth, IsOneSignAndNotCertain) {
    count("recovery", 7, 0, 900);
    count("recovery", 8, 0, 900);
    count("crc", 7, 0, 900000);
    const auto findings = judge();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].sign, "nvlink.growth");
    EXPECT_EQ(findings[0].short_text, "NVL errors");
    EXPECT_FALSE(findings[0].certain);
    EXPECT_EQ(combine(findings), Verdict::kUnknown);
    EXPECT_THAT(findings[0].detail, HasSubstr("recovery of NVLink 8 by 900 (limit 60)"));
}

TEST_F(GpuGrowth, LinkThatWentDownIsToldFromErrors) {
    count("link_recovery", 7, 0, 900);
    count("link_recovery_failed", 7, 0, 1);
    ASSERT_EQ(judge().size(), 1u);
    EXPECT_EQ(judge()[0].short_text, "NVL flapped");
}

TEST_F(GpuGrowth, CountsOfNoFaultAreNotJudged) {
    count("transmit_discard", 7, 0, 900000);
    count("link_recovery_successful", 7, 0, 900000);
    count("symbol_ber", 7, 0, 0xfff);
    EXPECT_TRUE(judge().empty());
}

TEST_F(GpuGrowth, ReplaysAreTheKernelsPcieSign) {
    replays(0, 480);  // 8 a minute
    EXPECT_TRUE(judge().empty());
    replays(0, 481);
    ASSERT_EQ(judge().size(), 1u);
    EXPECT_EQ(judge()[0].sign, "pcie.errors");
    EXPECT_THAT(judge()[0].detail, HasSubstr("in 3600 s by 481 (limit 480)"));
    scope_.counters.pcie_replays_per_minute = 9;
    EXPECT_TRUE(judge().empty());
}

TEST_F(GpuGrowth, SaturatedReplaysTellNothingMore) {
    replays(UINT32_MAX, UINT32_MAX);
    EXPECT_TRUE(judge().empty());
    replays(UINT32_MAX - 1000, UINT32_MAX);
    EXPECT_EQ(judge().size(), 1u);
}

TEST_F(GpuGrowth, ShortIntervalsCountAsAWholeWindow) {
    past().uptime_s = 7199;
    count("recovery", 0, 0, 10);
    EXPECT_TRUE(judge().empty());
    count("recovery", 0, 0, 11);
    EXPECT_EQ(judge().size(), 1u);
}

TEST_F(GpuGrowth, NothingIsComparedAcrossBootsDriversOrGpus) {
    count("recovery", 7, 0, 900);
    replays(0, 90000);
    ASSERT_EQ(judge().size(), 2u);
    readings_.nvml.driver = "560.35.03";
    EXPECT_TRUE(judge().empty());
    readings_.nvml.driver = "550.54.15";
    readings_.boot_id = "next boot";
    EXPECT_TRUE(judge().empty());
    readings_.boot_id = "boot";
    gpu_.uuid = "GPU-another";
    EXPECT_TRUE(judge().empty());
    gpu_.uuid = "";
    EXPECT_TRUE(judge().empty());
}

TEST_F(GpuGrowth, LinksThatAreDownOrUnusedAreSaidElsewhere) {
    count("recovery", 7, 0, 900);
    replays(0, 90000);
    gpu_.nvlinks[7] = number(0);
    ASSERT_EQ(judge().size(), 1u);
    gpu_.nvlinks[7] = number(1);
    gpu_.mig_mode = number(1);
    ASSERT_EQ(judge().size(), 1u);
    EXPECT_EQ(judge()[0].sign, "pcie.errors");
}

TEST_F(GpuGrowth, BaselineIsTakenAnewWhenItIsOldSpentOrOfNoUse) {
    past().uptime_s = 7000;
    count("recovery", 7, 5, 5);
    EXPECT_EQ(next(), 7000) << "in its window";
    count("recovery", 7, 5, 900);
    EXPECT_EQ(next(), 7200) << "reported";
    count("recovery", 7, 5, 1);
    EXPECT_EQ(next(), 7200) << "went back";
    count("recovery", 7, 5, 5);
    readings_.nvml.driver = "560.35.03";
    EXPECT_EQ(next(), 7200) << "another driver";
    readings_.nvml.driver = "550.54.15";
    past().uptime_s = 6600;
    EXPECT_EQ(next(), 7200) << "old";
}

TEST_F(GpuGrowth, GpusOfOtherJobsKeepTheirBaseline) {
    past().uptime_s = 60;
    count("recovery", 7, 5, 5);
    scope_.gpus = {2};
    readings_.nvml.device_count = number(2);
    EXPECT_EQ(next(), 60) << "their NVLinks are not read";
}

}  // namespace
}  // namespace yardmaster
