#include "healthcheck/rdma/probe/measure_options.hpp"

#include <CLI/CLI.hpp>
#include <cmath>

namespace yardmaster {

void add_measure_options(CLI::App& app,
                         RawMeasureOptions& raw,
                         MeasureSettings& settings,
                         std::string& verbs_library) {
    StreamSettings& stream = settings.stream;
    app.add_option("--size", stream.message_bytes, "Bytes of one write")
        ->type_name("BYTES")
        ->check(CLI::Range(std::size_t{64}, std::size_t{16} << 20))
        ->capture_default_str();
    app.add_option("--depth", stream.depth, "Writes under way at once")
        ->type_name("N")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--windows", stream.windows, "Windows to measure")
        ->type_name("N")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--window-ms", raw.window_ms, "Length of a window")
        ->type_name("MS")
        ->check(CLI::Range(1.0, 10000.0))
        ->capture_default_str();
    app.add_option("--latency-writes", settings.latency_writes, "Small writes for the latency")
        ->type_name("N")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    app.add_option("--timeout", settings.patience.timeout_exponent, "ACK timeout: 4.096 us * 2^N")
        ->type_name("N")
        ->check(CLI::Range(1, 20))
        ->capture_default_str();
    app.add_option("--retries", settings.patience.retries, "Retries before a pair is unreachable")
        ->type_name("N")
        ->check(CLI::Range(0U, kMostRetries))
        ->capture_default_str();
    app.add_option("--traffic-class", settings.patience.traffic_class, "RoCE: DSCP and ECN byte")
        ->type_name("N")
        ->check(CLI::Range(0, 255))
        ->capture_default_str();
    app.add_option(
           "--memory", raw.memory, "Where the data lie; gpu falls back to host, and says so")
        ->type_name("KIND")
        ->check(CLI::IsMember({"host", "gpu"}))
        ->capture_default_str();
    app.add_option("--library", verbs_library, "libibverbs, a name or path for dlopen")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("--cuda-library", settings.cuda_library, "The CUDA driver, for --memory gpu")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("--sysfs", settings.sysfs_root, "Where rates and PCIe links are read")
        ->type_name("DIR")
        ->capture_default_str();
}

void take_measure_options(const RawMeasureOptions& raw, MeasureSettings& settings) {
    settings.stream.window = std::chrono::nanoseconds(std::llround(raw.window_ms * 1e6));
    settings.gpu_memory = raw.memory == "gpu";
}

}  // namespace yardmaster
