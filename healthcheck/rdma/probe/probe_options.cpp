#include "healthcheck/rdma/probe/probe_options.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "healthcheck/probe_arguments.hpp"

namespace yardmaster {
namespace {

constexpr const char* kDescription =
    "Measures RDMA write bandwidth and latency between ports of this node, over libibverbs.\n"
    "Prints one JSON object a line: rdma_probe, rdma_step (what is begun), rdma_pair (a result),\n"
    "rdma_end; rdma_error when nothing could be measured.";
constexpr const char* kFooter =
    "Ports are named by device, mlx5_3, or device and port, mlx5_3:2. Example:\n"
    "  yardmaster-rdma-probe mlx5_0 mlx5_1 mlx5_2 mlx5_3\n"
    "Exit status: 0 the pairs were tried, whatever the results; 1 nothing could be tried; 2 wrong\n"
    "arguments.";

/// What CLI11 fills in before it is checked and converted.
struct RawOptions {
    std::vector<std::string> ring;
    std::vector<std::string> pairs;
    double window_ms = 20;
    double budget_s = 2;
    std::string memory = "host";
};

void add_options(CLI::App& app, RawOptions& raw, ProbeOptions& options) {
    MeasureSettings& settings = options.settings;
    StreamSettings& stream = settings.stream;
    app.add_option(
        "PORT", raw.ring, "Ports of a ring: each writes to the next, the last to the first");
    app.add_option(
           "--pair", raw.pairs, "One more pair: FROM,TO; the same port twice is a self loop")
        ->type_name("FROM,TO");
    app.add_flag("--list", options.list, "List devices, ports and GIDs, and measure nothing");
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
    app.add_option("--budget-s", raw.budget_s, "Time for all pairs together")
        ->type_name("S")
        ->check(CLI::Range(0.1, 600.0))
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
    app.add_option("--attempt", settings.attempt, "Number that the results bear")
        ->type_name("N")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--library", options.library, "libibverbs, a name or path for dlopen")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("--cuda-library", settings.cuda_library, "The CUDA driver, for --memory gpu")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("--sysfs", settings.sysfs_root, "Where rates and PCIe links are read")
        ->type_name("DIR")
        ->capture_default_str();
}

Result<RdmaPair> parse_pair(const std::string& text) {
    const auto comma = text.find(',');
    const auto from = parse_rdma_port(text.substr(0, comma));
    const auto to = parse_rdma_port(comma == std::string::npos ? "" : text.substr(comma + 1));
    if (!from || !to) {
        return Status(ErrorCode::kInvalidArgument,
                      "--pair \"" + text.substr(0, 160) + "\" must be FROM,TO: mlx5_0,mlx5_1");
    }
    return RdmaPair{*from, *to};
}

Status convert(const RawOptions& raw, ProbeOptions& options) {
    std::vector<RdmaPort> ring;
    for (const std::string& text : raw.ring) {
        auto port = parse_rdma_port(text);
        if (!port) {
            return port.status();
        }
        ring.push_back(std::move(port).value());
    }
    options.pairs = ring_of(ring);
    for (const std::string& text : raw.pairs) {
        auto pair = parse_pair(text);
        if (!pair) {
            return pair.status();
        }
        options.pairs.push_back(std::move(pair).value());
    }
    if (options.pairs.empty() && !options.list) {
        return {ErrorCode::kInvalidArgument, "no port to measure: name some, or use --list"};
    }
    const auto nanoseconds = [](double value, double factor) {
        return std::chrono::nanoseconds(std::llround(value * factor));
    };
    options.settings.stream.window = nanoseconds(raw.window_ms, 1e6);
    options.settings.budget = nanoseconds(raw.budget_s, 1e9);
    options.settings.gpu_memory = raw.memory == "gpu";
    return Status::ok();
}

/// The parser; it fills in `raw` and `options`.
std::unique_ptr<CLI::App> make_parser(RawOptions& raw, ProbeOptions& options) {
    auto app = std::make_unique<CLI::App>(kDescription, "yardmaster-rdma-probe");
    app->footer(kFooter);
    app->set_version_flag("--version", "yardmaster-rdma-probe " YM_VERSION);
    add_options(*app, raw, options);
    return app;
}

}  // namespace

std::optional<ProbeOptions> parse_probe_options(int argc, char** argv, int& exit_status) {
    RawOptions raw;
    ProbeOptions options;
    const auto app = make_parser(raw, options);
    const bool taken = take_probe_arguments(
        *app, argc, argv, [&] { return convert(raw, options); }, exit_status);
    return taken ? std::optional(std::move(options)) : std::nullopt;
}

void see_probe_parser(const std::function<void(const CLI::App&)>& see) {
    RawOptions raw;
    ProbeOptions options;
    see(*make_parser(raw, options));
}

}  // namespace yardmaster
