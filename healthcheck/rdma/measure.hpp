// Measures pairs of ports of one node.
#pragma once

#include <functional>

#include "healthcheck/rdma/rdma_reading.hpp"
#include "healthcheck/rdma/write_stream.hpp"

namespace yardmaster {

struct MeasureSettings {
    StreamSettings stream;  ///< its deadline is set by measure_pairs
    RdmaPatience patience;
    bool gpu_memory = false;
    std::string cuda_library = "libcuda.so.1";
    std::size_t latency_writes = 200;
    unsigned attempt = 1;
    std::string sysfs_root = "/sys";
    std::chrono::nanoseconds budget{2'000'000'000};  ///< for all pairs together
};

/// Where results go as they come: a hang in a driver loses nothing that was there before.
struct MeasureSinks {
    std::function<void(const RdmaPairReading&)> pair;
    std::function<void(const std::string&)> step;  ///< what is begun next: "open mlx5_3"
};

/// Measures `pairs` in rounds (rounds_of), at most until the budget is spent; pairs that were not
/// begun by then yield nothing. Everything it opened is closed when it returns.
void measure_pairs(VerbsApi& verbs,
                   const std::vector<RdmaPair>& pairs,
                   const MeasureSettings& settings,
                   const MeasureSinks& sinks);

}  // namespace yardmaster
