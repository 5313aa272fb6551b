#include "plugin/common/gpu_request.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

struct Case {
    const char* tres;
    std::optional<std::uint32_t> gpus;
};

class GpuRequest : public ::testing::TestWithParam<Case> {};

TEST_P(GpuRequest, IsCounted) {
    EXPECT_EQ(gpus_in(GetParam().tres), GetParam().gpus) << GetParam().tres;
}

INSTANTIATE_TEST_SUITE_P(Forms,
                         GpuRequest,
                         ::testing::Values(Case{"", 0},
                                           Case{"gres:gpu:8", 8},
                                           Case{"gres:gpu:h100:8", 8},
                                           Case{"gres/gpu=4", 4},
                                           Case{"gpu:h100", 1},
                                           Case{"gpu", 1},
                                           Case{"gres:gpu:a100:2,gres:gpu:h100:3", 5},
                                           Case{"gres:license:2,gres:gpu:1", 1},
                                           Case{"gres:gpu_mem:40", 0},
                                           Case{"gres:gpu:h100:many", std::nullopt}));

}  // namespace
}  // namespace yardmaster
