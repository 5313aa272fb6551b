#include "topology/gpu_list.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

TEST(GpuList, RunsAreWrittenAsRanges) {
    EXPECT_EQ(format_gpu_list(0), "");
    EXPECT_EQ(format_gpu_list(0b1), "0");
    EXPECT_EQ(format_gpu_list(0b100'1111), "0-3,6");
    EXPECT_EQ(format_gpu_list(0b11'0000), "4-5");
    EXPECT_EQ(format_gpu_list(kAllGpus), "0-63");
    EXPECT_EQ(format_gpu_list(GpuMask{1} << 63), "63");
}

TEST(GpuList, RoundTrips) {
    for (GpuMask gpus : {GpuMask{1}, GpuMask{0b1010'0110}, kAllGpus, 0x5555'5555'5555'5555U}) {
        EXPECT_EQ(parse_gpu_list(format_gpu_list(gpus)), gpus) << format_gpu_list(gpus);
    }
}

TEST(GpuList, AnythingElseIsNone) {
    for (const char* text : {"", "-", "3-", "3-1", "64", "0,", ",0", "0 1", "a", "0-64"}) {
        EXPECT_FALSE(parse_gpu_list(text)) << text;
    }
}

}  // namespace
}  // namespace yardmaster
