#include "plugin/common/gpu_request.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

TEST(GpuRequest, EveryFormOfSlurmsCommandsIsRead) {
    EXPECT_EQ(gpus_in("gres:gpu:8"), 8U);
    EXPECT_EQ(gpus_in("gres:gpu:h100:8"), 8U);
    EXPECT_EQ(gpus_in("gres/gpu=8"), 8U);
    EXPECT_EQ(gpus_in("gres/gpu:h100=8"), 8U);
    EXPECT_EQ(gpus_in("gpu:8"), 8U);
    EXPECT_EQ(gpus_in("gpu:h100:8"), 8U);
}

TEST(GpuRequest, NoCountMeansOne) {
    EXPECT_EQ(gpus_in("gres:gpu"), 1U);
    EXPECT_EQ(gpus_in("gpu"), 1U);
    EXPECT_EQ(gpus_in("gpu:h100"), 1U);
}

TEST(GpuRequest, ListIsSummedOverItsGpuEntries) {
    EXPECT_EQ(gpus_in("gres:gpu:a:4,gres:license:2,gres:gpu:b:3"), 7U);
    EXPECT_EQ(gpus_in("gres:mps:100"), 0U);
    EXPECT_EQ(gpus_in("gres:gpus:8"), 0U);
    EXPECT_EQ(gpus_in(""), 0U);
    EXPECT_EQ(gpus_in("gpu:0"), 0U);
}

TEST(GpuRequest, UnreadableCountGivesNone) {
    EXPECT_EQ(gpus_in("gpu:h100:many"), std::nullopt);
    EXPECT_EQ(gpus_in("gpu:h100:8x"), std::nullopt);
    EXPECT_EQ(gpus_in("gpu:h100:-1"), std::nullopt);
    EXPECT_EQ(gpus_in("gpu:h100:99999999999"), std::nullopt);
}

}  // namespace
}  // namespace yardmaster
