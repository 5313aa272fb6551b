#include "healthcheck/nccl/busbw_table.hpp"

namespace yardmaster {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

struct Row {
    std::string_view model;  ///< a part of the name that NVML gives
    unsigned gpus;
    std::uint64_t bytes;
    double busbw;
};

// all_reduce_perf of github.com/NVIDIA/nccl-tests on 8 GPUs of one node, as users of it report.
// The first row that fits holds.
constexpr Row kTable[] = {
    // DGX and HGX A100, rings: nccl-tests issues and cloud vendors' acceptance guides.
    {"A100-SXM", 8, 64 * kMiB, 201},
    {"A100-SXM", 8, 256 * kMiB, 222},
    {"A100-SXM", 8, 1024 * kMiB, 230},
    // HGX H100: about 480 with NVLS and 370 with rings, both at their peak; 256 MiB is too small
    // for that. H200 has the same NVLinks (900 GB/s, NVIDIA's data sheets).
    {"H100 80GB HBM3", 8, 1024 * kMiB, 370},
    {"H200", 8, 1024 * kMiB, 370},
};

}  // namespace

std::optional<double> published_busbw(std::string_view model, unsigned gpus, std::uint64_t bytes) {
    if (model.find(" NVL") != std::string_view::npos) {
        return std::nullopt;  // H200 NVL: a card with bridges
    }
    for (const Row& row : kTable) {
        if (row.gpus == gpus && row.bytes == bytes &&
            model.find(row.model) != std::string_view::npos) {
            return row.busbw;
        }
    }
    return std::nullopt;
}

}  // namespace yardmaster
