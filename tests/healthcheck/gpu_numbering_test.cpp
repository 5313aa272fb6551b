#include "healthcheck/gpu/gpu_numbering.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A node of eight GPUs, of which NVML lists `minors` in its order; -1: lost, tells no minor.
struct Node {
    explicit Node(const std::vector<int>& minors) {
        nvml.loaded = true;
        nvml.device_count = {kNvmlSuccess, minors.size()};
        for (unsigned index = 0; index < minors.size(); ++index) {
            GpuReading gpu;
            gpu.index = index;
            gpu.handle_code = kNvmlSuccess;
            gpu.minor = minors[index] < 0
                            ? NvmlNumber{kNvmlGpuIsLost, 0}
                            : NvmlNumber{kNvmlSuccess, static_cast<std::uint64_t>(minors[index])};
            gpus.push_back(gpu);
        }
    }
    NumberedScope number(GpuNumbering numbering, std::vector<unsigned> wanted) const {
        CheckScope scope;
        scope.node_gpus = 8;
        scope.gpus = std::move(wanted);
        scope.rails = {{"mlx5_0", 1, 400, {scope.gpus.front()}}};
        scope.gpu_numbering = numbering;
        return number_by_minor(scope, nvml, gpus);
    }

    NvmlReading nvml;
    std::vector<GpuReading> gpus;
};

const std::vector<int> kAlike{0, 1, 2, 3, 4, 5, 6, 7};
const std::vector<int> kSwapped{3, 2, 1, 0, 7, 6, 5, 4};

TEST(GpuNumbering, NvmlIndicesBecomeTheirMinors) {
    const NumberedScope numbered = Node(kSwapped).number(GpuNumbering::kNvml, {0, 5});
    EXPECT_THAT(numbered.scope.gpus, ElementsAre(3, 6));
    EXPECT_THAT(numbered.scope.rails[0].gpus, ElementsAre(3));
    EXPECT_EQ(numbered.scope.gpu_numbering, GpuNumbering::kMinor);
    EXPECT_THAT(numbered.findings, IsEmpty());
}

TEST(GpuNumbering, MinorsStayWhateverNvmlsOrder) {
    EXPECT_THAT(Node(kSwapped).number(GpuNumbering::kMinor, {0, 5}).scope.gpus, ElementsAre(0, 5));
}

TEST(GpuNumbering, UncertainOrderIsNoMatterWhereBothAgree) {
    const NumberedScope numbered = Node(kAlike).number(GpuNumbering::kMinorOrNvml, {0, 5});
    EXPECT_THAT(numbered.scope.gpus, ElementsAre(0, 5));
    EXPECT_THAT(numbered.findings, IsEmpty());
}

TEST(GpuNumbering, UncertainOrderBlamesNobodyWhereTheyDiffer) {
    const NumberedScope numbered = Node(kSwapped).number(GpuNumbering::kMinorOrNvml, {0, 5});
    EXPECT_THAT(numbered.scope.gpus, IsEmpty());
    ASSERT_EQ(numbered.findings.size(), 1u);
    EXPECT_EQ(numbered.findings[0].sign, "gpu.mapping");
    EXPECT_EQ(numbered.findings[0].verdict, Verdict::kUnknown);
}

TEST(GpuNumbering, JobOnAllGpusNeedsNoOrderButItsRailsHaveNone) {
    const NumberedScope numbered =
        Node(kSwapped).number(GpuNumbering::kUnknown, {0, 1, 2, 3, 4, 5, 6, 7});
    EXPECT_THAT(numbered.scope.gpus, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(numbered.scope.rails[0].gpus, IsEmpty());
    EXPECT_THAT(numbered.findings, IsEmpty());
}

TEST(GpuNumbering, UnknownOrderSaysWhy) {
    CheckScope scope;
    scope.node_gpus = 8;
    scope.gpus = {2};
    scope.gpu_numbering = GpuNumbering::kUnknown;
    scope.gpu_numbering_why = "gres.conf has MultipleFiles=";
    const Node node(kAlike);
    const NumberedScope numbered = number_by_minor(scope, node.nvml, node.gpus);
    ASSERT_EQ(numbered.findings.size(), 1u);
    EXPECT_THAT(numbered.findings[0].detail, HasSubstr("MultipleFiles"));
}

TEST(GpuNumbering, LostGpuIsTheMinorThatNoOtherHas) {
    const Node node({3, 2, -1, 0, 7, 6, 5, 4});
    EXPECT_THAT(node.number(GpuNumbering::kNvml, {2}).scope.gpus, ElementsAre(1));
    const Node two({3, -1, -1, 0, 7, 6, 5, 4});
    EXPECT_THAT(two.number(GpuNumbering::kNvml, {0}).scope.gpus, IsEmpty());
    const Node alike({0, -1, -1, 3, 4, 5, 6, 7});
    EXPECT_THAT(alike.number(GpuNumbering::kNvml, {2}).scope.gpus, ElementsAre(2));
}

TEST(GpuNumbering, GoneGpuShiftsNvmlsIndicesNotSlurms) {
    const Node node({0, 1, 3, 4, 5, 6, 7});
    EXPECT_THAT(node.number(GpuNumbering::kNvml, {2, 3}).scope.gpus, ElementsAre(2, 3));
    const Node swapped({3, 2, 0, 7, 6, 5, 4});
    EXPECT_THAT(swapped.number(GpuNumbering::kNvml, {2}).scope.gpus, IsEmpty());
}

TEST(GpuNumbering, UnreadGpusAreUnknownNotMissing) {
    Node node(kSwapped);
    node.gpus.resize(3);
    const NumberedScope numbered = node.number(GpuNumbering::kNvml, {5});
    ASSERT_EQ(numbered.findings.size(), 1u);
    EXPECT_EQ(numbered.findings[0].sign, "gpu.outstanding");
}

}  // namespace
}  // namespace yardmaster
