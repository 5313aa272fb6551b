// How a measurement is made, as arguments: the same for every probe that writes with RDMA.
#pragma once

#include <string>

#include "healthcheck/rdma/measure.hpp"

namespace CLI {
class App;
}

namespace yardmaster {

/// What CLI11 fills in before it is converted.
struct RawMeasureOptions {
    double window_ms = 20;
    std::string memory = "host";
};

/// Adds --size, --depth and so on; all references must live until the arguments are parsed.
void add_measure_options(CLI::App& app,
                         RawMeasureOptions& raw,
                         MeasureSettings& settings,
                         std::string& verbs_library);

/// What of `raw` is not in `settings` yet.
void take_measure_options(const RawMeasureOptions& raw, MeasureSettings& settings);

}  // namespace yardmaster
