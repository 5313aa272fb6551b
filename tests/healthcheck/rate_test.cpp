#include "healthcheck/port/rate.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

TEST(PortRate, KernelTextGivesSpeedWidthAndName) {
    const auto rate = parse_port_rate("400 Gb/sec (4X NDR)\n");
    ASSERT_TRUE(rate) << rate.status().message();
    EXPECT_EQ(rate->gbps, 400);
    EXPECT_EQ(rate->width, 4u);
    EXPECT_EQ(rate->speed, "NDR");
}

TEST(PortRate, FractionsAndHalfWidthAreRead) {
    EXPECT_EQ(parse_port_rate("2.5 Gb/sec (1X)")->gbps, 2.5);
    EXPECT_EQ(parse_port_rate("2.5 Gb/sec (1X)")->speed, "");
    EXPECT_EQ(parse_port_rate("200 Gb/sec (2X NDR)")->width, 2u);
}

TEST(PortRate, WhatIsNoRateIsMalformed) {
    for (const char* text : {"",
                             "0 GB/sec",
                             "0 Gb/sec (4X)",
                             "400",
                             "400 Gb/sec (X NDR)",
                             "400 Gb/sec (4 NDR)",
                             "400 Gb/sec (4X NDR",
                             "-400 Gb/sec (4X NDR)",
                             "nan Gb/sec (4X NDR)",
                             "N/A (no PMA)"}) {
        EXPECT_EQ(parse_port_rate(text).status().code(), ErrorCode::kMalformed) << text;
    }
}

TEST(PortState, NumberAndNameAreTakenApart) {
    const auto state = parse_port_state("4: ACTIVE\n");
    ASSERT_TRUE(state);
    EXPECT_EQ(state->number, 4u);
    EXPECT_EQ(state->name, "ACTIVE");
}

TEST(PortState, TextWithoutNumberAndColonIsMalformed) {
    for (const char* text : {"", "ACTIVE", "4 ACTIVE", ": ACTIVE", "-1: X"}) {
        EXPECT_EQ(parse_port_state(text).status().code(), ErrorCode::kMalformed) << text;
    }
}

}  // namespace
}  // namespace yardmaster
