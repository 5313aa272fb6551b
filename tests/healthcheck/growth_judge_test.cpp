#include "healthcheck/port/growth_judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "healthcheck/baseline/next_baseline.hpp"

namespace yardmaster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kDowned = "counters/link_downed";
constexpr const char* kSymbols = "counters/symbol_error";

/// One active port, an hour after its baseline.
class GrowthJudge : public ::testing::Test {
  protected:
    GrowthJudge() {
        scope_.rails = {{"mlx5_3", 1, 400, {3}}};
        port_.device = "mlx5_3";
        port_.present = true;
        port_.state = "4: ACTIVE";
        port_.rate = "400 Gb/sec (4X NDR)";
        readings_.boot_id = readings_.baseline.boot_id = "boot";
        readings_.uptime_s = 7200;
        readings_.baseline.objects["mlx5_3"].uptime_s = 3600;
    }
    void counter(const char* name, std::uint64_t before, std::uint64_t now) {
        readings_.baseline.objects["mlx5_3"].counters[name] = before;
        port_.counters[name] = {now, ""};
    }
    std::optional<Finding> judge() const {
        return judge_growth(port_, 400, scope_.counters, readings_);
    }
    /// The kept moment of the port's baseline after this check.
    double next() {
        readings_.ports = {port_};
        return next_baseline(scope_, readings_).objects.at("mlx5_3").uptime_s;
    }

    CheckScope scope_;
    PortReading port_;
    Readings readings_;
};

TEST_F(GrowthJudge, LinkThatDroppedIsOneSignAndNotCertain) {
    counter(kDowned, 3, 4);
    const auto finding = judge();
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->sign, "port.growth");
    EXPECT_EQ(finding->short_text, "flapped");
    EXPECT_FALSE(finding->certain);
    EXPECT_THAT(finding->detail, HasSubstr("link_downed by 1"));
    EXPECT_EQ(combine({*finding}), Verdict::kUnknown);
}

TEST_F(GrowthJudge, OldDamageIsNoSign) {
    counter(kDowned, 200, 200);
    counter(kSymbols, 60000, 60000);
    EXPECT_FALSE(judge());
}

TEST_F(GrowthJudge, SaturatedCounterIsSaidAndNotJudged) {
    counter(kDowned, 255, 255);
    EXPECT_FALSE(judge());
    EXPECT_THAT(growth_notes(port_, readings_), ElementsAre(HasSubstr("saturated")));
}

TEST_F(GrowthJudge, ReachingTheMaximumIsStillGrowth) {
    counter(kDowned, 254, 255);
    EXPECT_TRUE(judge());
}

TEST_F(GrowthJudge, SmallerCounterStartsAnewAndIsSaid) {
    counter(kDowned, 9, 1);
    EXPECT_FALSE(judge());
    EXPECT_THAT(growth_notes(port_, readings_), ElementsAre(HasSubstr("counted anew")));
    EXPECT_EQ(next(), 7200);
}

TEST_F(GrowthJudge, SymbolErrorsAreHeldAgainstTheBitErrorRate) {
    // 1e-12 of 400 Gb/s is 0.4 errors a second: 1440 in an hour.
    counter(kSymbols, 0, 1400);
    EXPECT_FALSE(judge());
    counter(kSymbols, 0, 1500);
    ASSERT_TRUE(judge());
    EXPECT_THAT(judge()->detail, HasSubstr("symbol_error by 1500 (limit 1440)"));
    EXPECT_EQ(judge()->short_text, "errors");
    scope_.counters.symbol_ber = 1e-11;
    EXPECT_FALSE(judge());
}

TEST_F(GrowthJudge, ShortIntervalsCountAsAWholeWindow) {
    readings_.baseline.objects["mlx5_3"].uptime_s = 7199;
    counter(kSymbols, 0, 240);  // 0.4 a second over 600 s
    EXPECT_FALSE(judge());
    counter(kSymbols, 0, 241);
    EXPECT_TRUE(judge());
}

TEST_F(GrowthJudge, EveryErrorCounterHasALimit) {
    for (const auto& [name, limit] : std::map<std::string, unsigned>{
             {"counters/link_error_recovery", 200},  // 5 a minute would be 300: 8 bits end at 255
             {"counters/port_rcv_errors", 36000},
             {"hw_counters/local_ack_timeout_err", 3600},
             {"hw_counters/packet_seq_err", 360000},
             {"hw_counters/out_of_sequence", 360000},
             {"hw_counters/roce_adp_retrans", 360000}}) {
        if (name == "counters/link_error_recovery") {
            scope_.counters.recoveries_per_minute = limit / 60.0;
        }
        counter(name.c_str(), 1, 1 + limit);
        EXPECT_FALSE(judge()) << name;
        counter(name.c_str(), 1, 2 + limit);
        EXPECT_TRUE(judge()) << name;
        counter(name.c_str(), 0, 0);
    }
}

TEST_F(GrowthJudge, CongestionIsOnlyNoted) {
    counter("counters/port_xmit_wait", 0, 4000000000);
    EXPECT_FALSE(judge());
    EXPECT_THAT(growth_notes(port_, readings_), ElementsAre(HasSubstr("congestion")));
}

TEST_F(GrowthJudge, AllCountersTogetherAreOneSign) {
    counter(kDowned, 0, 1);
    counter(kSymbols, 0, 65535);
    counter("hw_counters/local_ack_timeout_err", 0, 100000);
    EXPECT_EQ(combine({*judge()}), Verdict::kUnknown);
}

TEST_F(GrowthJudge, NothingIsComparedAcrossBootsOrOnFirstSight) {
    counter(kDowned, 0, 9);
    readings_.boot_id = "next boot";
    EXPECT_FALSE(judge());
    readings_.boot_id = readings_.baseline.boot_id = "";
    EXPECT_FALSE(judge());
    readings_.boot_id = readings_.baseline.boot_id = "boot";
    readings_.baseline.objects.clear();
    EXPECT_FALSE(judge());
    EXPECT_EQ(next(), 7200);
}

TEST_F(GrowthJudge, PortThatIsNotActiveIsNotJudgedByItsPast) {
    counter(kDowned, 0, 1);
    port_.state = "2: INIT";
    EXPECT_FALSE(judge());
}

TEST_F(GrowthJudge, CounterWithoutANumberLeavesTheRestJudged) {
    counter(kDowned, 0, 1);
    port_.counters[kSymbols] = {std::nullopt, "N/A (no PMA)"};
    EXPECT_TRUE(judge());
}

TEST_F(GrowthJudge, BaselineIsRenewedAfterTheWindowAndAfterAReport) {
    counter(kDowned, 0, 0);
    EXPECT_EQ(next(), 7200) << "older than the window";
    readings_.baseline.objects["mlx5_3"].uptime_s = 7000;
    EXPECT_EQ(next(), 7000) << "younger";
    counter(kDowned, 0, 1);
    EXPECT_EQ(next(), 7200) << "its growth was reported";
}

TEST_F(GrowthJudge, OtherJobsObjectsStayAndOtherBootsGo) {
    readings_.baseline.objects["mlx5_5"] = {7100, {{kDowned, 1}}};
    counter(kDowned, 0, 0);
    readings_.ports = {port_};
    EXPECT_EQ(next_baseline(scope_, readings_).objects.count("mlx5_5"), 1u);
    readings_.boot_id = "next boot";
    EXPECT_EQ(next_baseline(scope_, readings_).objects.count("mlx5_5"), 0u);
}

TEST(CounterBaseline, ReadsBackAsItWas) {
    CounterBaseline baseline{"boot", {{"mlx5_3:2", {12.25, {{kDowned, UINT64_MAX}}}}}};
    const auto document = JsonDocument::parse(to_json(baseline).dump_exact());
    CounterBaseline read;
    ASSERT_TRUE(from_json(document->root(), read));
    EXPECT_EQ(to_json(read).dump_exact(), to_json(baseline).dump_exact());
    EXPECT_EQ(read.objects.at("mlx5_3:2").counters.at(kDowned), UINT64_MAX);
}

TEST(CounterBaseline, OtherFormatsAreRefused) {
    const auto document = JsonDocument::parse(R"({"format": 2, "boot_id": "", "objects": []})");
    CounterBaseline read;
    EXPECT_FALSE(from_json(document->root(), read));
}

}  // namespace
}  // namespace yardmaster
