#include "prolog/gpu_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prolog/scope_builder.hpp"
#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

GpuOrder order_of(const std::string& text, const std::string& node = "n0") {
    const auto lines =
        read_gres_conf("gres.conf", [&](const std::string&) { return Result<std::string>(text); });
    EXPECT_TRUE(lines) << lines.status().message();
    return gpu_order(*lines, node);
}

TEST(GpuOrder, PermutedFilesGiveTheirMinors) {
    const GpuOrder order = order_of(
        "AutoDetect=off\n"
        "NodeName=n[0-3] Name=gpu Type=h100 File=/dev/nvidia[4-7]\n"
        "NodeName=n[0-3] Name=gpu Type=h100 File=/dev/nvidia[0-2],/dev/nvidia3\n"
        "NodeName=n9 Name=gpu File=/dev/nvidia9\n"
        "Name=nic File=/dev/nvidia12\n");
    EXPECT_EQ(order.numbering, GpuNumbering::kMinor);
    EXPECT_THAT(order.minors, ElementsAre(4, 5, 6, 7, 0, 1, 2, 3));
}

TEST(GpuOrder, NvmlDetectionSortsAsNvmlWhateverTheFileSays) {
    EXPECT_EQ(order_of("AutoDetect=nvml\n").numbering, GpuNumbering::kNvml);
    const GpuOrder order =
        order_of("AutoDetect=NVML\nName=gpu File=/dev/nvidia3\nName=gpu File=/dev/nvidia2\n");
    EXPECT_EQ(order.numbering, GpuNumbering::kNvml);
    EXPECT_EQ(order.named, 2u);
}

TEST(GpuOrder, LineOfTheNodeStandsAboveOneForAll) {
    const std::string text =
        "NodeName=n1 AutoDetect=off Name=gpu File=/dev/nvidia[0-3]\nAutoDetect=nvml\n";
    EXPECT_EQ(order_of(text, "n1").numbering, GpuNumbering::kMinor);
    EXPECT_EQ(order_of(text, "n0").numbering, GpuNumbering::kNvml);
}

TEST(GpuOrder, WhatGivesNoOrderSaysWhy) {
    const std::pair<const char*, const char*> cases[] = {
        {"Name=gpu Type=a File=/dev/nvidia0\nName=gpu Type=b File=/dev/nvidia1\n", "types"},
        {"Name=gpu MultipleFiles=/dev/nvidia0,/dev/nvidia1 File=/dev/nvidia0\n", "MultipleFiles"},
        {"Name=gpu File=/dev/dri/card0\n", "/dev/dri/card0"}};
    for (const auto& [text, why] : cases) {
        const GpuOrder order = order_of(text);
        EXPECT_EQ(order.numbering, GpuNumbering::kUnknown) << text;
        EXPECT_THAT(order.why, HasSubstr(why));
    }
}

TEST(GpuOrder, WithoutALineItIsOneOfBoth) {
    EXPECT_EQ(order_of("").numbering, GpuNumbering::kMinorOrNvml);
    EXPECT_EQ(order_of("AutoDetect=nvidia\n").numbering, GpuNumbering::kMinorOrNvml);
}

TEST(GpuOrder, FileIsReadWhereItIsAndDoubtedWhereItIsNoFile) {
    const testing::ScratchFolder folder;
    const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    EXPECT_EQ(read_gpu_order(folder.path(), "n0", soon).numbering, GpuNumbering::kMinorOrNvml);
    testing::write_file(folder / "gres.conf", "Name=gpu File=/dev/nvidia[1,0]\n");
    EXPECT_THAT(read_gpu_order(folder.path(), "n0", soon).minors, ElementsAre(1, 0));
    std::filesystem::remove(folder / "gres.conf");
    std::filesystem::create_directory(folder / "gres.conf");
    EXPECT_EQ(read_gpu_order(folder.path(), "n0", soon).numbering, GpuNumbering::kUnknown);
}

Result<Fabric> fabric() {
    return Fabric::parse(R"({
        "version": 1,
        "node_types": {"h100": {"gpus": 4, "rails": [
            {"nic": "mlx5_0", "gbps": 400}, {"nic": "mlx5_1", "gbps": 400},
            {"nic": "mlx5_2", "gbps": 400}, {"nic": "mlx5_3", "gbps": 400}]}},
        "nodes": {"n[0-1]": "h100"}})",
                         "fabric.json");
}

CheckScope scope_with(GpuOrder order, std::vector<unsigned> gpus) {
    return build_scope({"n0", 7, std::move(gpus), false, std::move(order)}, fabric());
}

TEST(ScopeOrder, RailsGoByPlaceAndGpusByFile) {
    const CheckScope scope = scope_with({GpuNumbering::kMinor, {2, 3, 0, 1}, 4, ""}, {0, 3});
    EXPECT_THAT(scope.gpus, ElementsAre(1, 2));
    ASSERT_EQ(scope.rails.size(), 2u);
    EXPECT_EQ(scope.rails[0].device, "mlx5_0");
    EXPECT_THAT(scope.rails[0].gpus, ElementsAre(2));
    EXPECT_EQ(scope.rails[1].device, "mlx5_3");
    EXPECT_THAT(scope.rails[1].gpus, ElementsAre(1));
}

TEST(ScopeOrder, GpuBeyondTheFilesIsNoGpu) {
    const CheckScope scope = scope_with({GpuNumbering::kMinor, {0, 1}, 2, ""}, {3});
    EXPECT_EQ(scope.gpu_numbering, GpuNumbering::kUnknown);
    EXPECT_THAT(scope.gpu_numbering_why, HasSubstr("GPU 3"));
}

TEST(ScopeOrder, DetectionThatLeavesGpusOutIsNotGuessedAt) {
    EXPECT_EQ(scope_with({GpuNumbering::kNvml, {}, 2, ""}, {0}).gpu_numbering,
              GpuNumbering::kUnknown);
    EXPECT_EQ(scope_with({GpuNumbering::kNvml, {}, 4, ""}, {0}).gpu_numbering, GpuNumbering::kNvml);
}

}  // namespace
}  // namespace yardmaster
