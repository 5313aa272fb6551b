#include "healthcheck/nvlink/model_table.hpp"

namespace yardmaster {
namespace {

struct Row {
    std::string_view name;  ///< a part of the name that NVML gives
    NvlinkModel model;
};

constexpr NvlinkModel kByBoard{0, true, NvlinkFabric::kNone};
constexpr NvlinkFabric kNoFabric = NvlinkFabric::kNone;
constexpr NvlinkFabric kNode = NvlinkFabric::kNode;
constexpr NvlinkFabric kRack = NvlinkFabric::kRack;

// The first row whose name occurs in the model's name holds, so narrower names stand first.
// PCIe cards: NVIDIA's product briefs make the bridges an option (A100 PCIe: 3 bridges of 4 links,
// H100 PCIe: 12 of 18 links wired, H100 NVL and H200 NVL: bridges of 2 or 4 cards).
constexpr Row kTable[] = {
    {"PCIe", kByBoard},
    {"PCIE", kByBoard},
    {" NVL", kByBoard},
    {"V100-SXM", {6, false, kNoFabric}},   // NVIDIA Tesla V100 architecture whitepaper: 6 x 50 GB/s
    {"A100-SXM", {12, false, kNoFabric}},  // NVIDIA A100 architecture whitepaper: 12 x 50 GB/s
    {"GH200", kByBoard},            // NVIDIA GH200 datasheet: standalone boards lead no links out
    {"GB200", {18, false, kRack}},  // NVIDIA GB200 NVL72 datasheet: 1.8 TB/s = 18 x 100 GB/s
    {"GB300", {18, false, kRack}},  // NVIDIA GB300 NVL72 datasheet: 1.8 TB/s = 18 x 100 GB/s
    {"H100 80GB HBM3", {18, false, kNode}},  // NVIDIA H100 architecture whitepaper: SXM5, 18 links
    {"H200", {18, false, kNode}},            // NVIDIA H200 datasheet: SXM, 900 GB/s = 18 x 50 GB/s
    {"B200", {18, false, kNode}},  // NVIDIA DGX B200 datasheet: 14.4 TB/s = 8 x 18 x 100 GB/s
    {"B300", {18, false, kNode}},  // NVIDIA DGX B300 datasheet: 14.4 TB/s = 8 x 18 x 100 GB/s
};

}  // namespace

std::optional<NvlinkModel> find_nvlink_model(std::string_view model) {
    for (const Row& row : kTable) {
        if (model.find(row.name) != std::string_view::npos) {
            return row.model;
        }
    }
    return std::nullopt;
}

}  // namespace yardmaster
