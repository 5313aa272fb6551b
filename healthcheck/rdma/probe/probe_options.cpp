#include "healthcheck/rdma/probe/probe_options.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "healthcheck/probe_arguments.hpp"
#include "healthcheck/rdma/probe/measure_options.hpp"

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
    double budget_s = 2;
    RawMeasureOptions measure;
};

void add_options(CLI::App& app, RawOptions& raw, ProbeOptions& options) {
    MeasureSettings& settings = options.settings;
    app.add_option(
        "PORT", raw.ring, "Ports of a ring: each writes to the next, the last to the first");
    app.add_option(
           "--pair", raw.pairs, "One more pair: FROM,TO; the same port twice is a self loop")
        ->type_name("FROM,TO");
    app.add_flag("--list", options.list, "List devices, ports and GIDs, and measure nothing");
    app.add_option("--budget-s", raw.budget_s, "Time for all pairs together")
        ->type_name("S")
        ->check(CLI::Range(0.1, 600.0))
        ->capture_default_str();
    app.add_option("--attempt", settings.attempt, "Number that the results bear")
        ->type_name("N")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    add_measure_options(app, raw.measure, settings, options.library);
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
    options.settings.budget = std::chrono::nanoseconds(std::llround(raw.budget_s * 1e9));
    take_measure_options(raw.measure, options.settings);
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
