#include "replay/sacct_forms.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

TEST(SacctForms, CountsArePlainDecimals) {
    EXPECT_EQ(parse_count("0"), 0);
    EXPECT_EQ(parse_count("128"), 128);
    for (const char* bad : {"", "-1", "-0", "+1", "1K", "1.5", " 1", "99999999999999999999"}) {
        EXPECT_FALSE(parse_count(bad)) << bad;
    }
}

TEST(SacctForms, TimesAreSecondsOrIso) {
    EXPECT_EQ(parse_time_point("12"), 12);
    EXPECT_EQ(parse_time_point("1970-01-02T00:00:01"), 86401);
    EXPECT_EQ(parse_time_point("2000-02-29T12:00:00"), 951825600);
    EXPECT_EQ(parse_time_point("2026-11-30T21:04:05"), 1796072645);
    for (const char* bad : {"",
                            "Unknown",
                            "2026-13-01T00:00:00",
                            "2026-11-30 21:04:05",
                            "2026-11-30T24:00:00",
                            "2026-11-30T21:04",
                            "1969-12-31T00:00:00"}) {
        EXPECT_FALSE(parse_time_point(bad)) << bad;
    }
}

TEST(SacctForms, DurationsAreSecondsOrElapsed) {
    EXPECT_EQ(parse_duration("90"), 90);
    EXPECT_EQ(parse_duration("01:30"), 90);
    EXPECT_EQ(parse_duration("01:30.750"), 90);
    EXPECT_EQ(parse_duration("10:00:00"), 36000);
    EXPECT_EQ(parse_duration("2-01:00:05"), 2 * 86400 + 3605);
    for (const char* bad :
         {"", "1:2:3", "01:60", "2-", "-01:00", "1-2-03:00:00", "INVALID", "01:02:03:04"}) {
        EXPECT_FALSE(parse_duration(bad)) << bad;
    }
}

TEST(SacctForms, GpusOfATresString) {
    EXPECT_EQ(gpus_in_tres("billing=64,cpu=64,gres/gpu=32,node=4"), 32);
    EXPECT_EQ(gpus_in_tres("gres/gpu:h100=16,gres/gpu=16"), 16);
    EXPECT_EQ(gpus_in_tres("gres/gpu:h100=16,gres/gpu:a100=8"), 24);
    EXPECT_EQ(gpus_in_tres("cpu=4,gres/gpumem=80,mem=8G"), 0);
    EXPECT_EQ(gpus_in_tres(""), 0);
    EXPECT_FALSE(gpus_in_tres("gres/gpu=many"));
    EXPECT_FALSE(gpus_in_tres("gres/gpu"));
}

}  // namespace
}  // namespace yardmaster
