#include "healthcheck/crossnode/probe/crossnode_probe_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "healthcheck/probe_arguments.hpp"
#include "healthcheck/rdma/probe/measure_options.hpp"

namespace yardmaster {
namespace {

constexpr const char* kDescription =
    "Measures RDMA writes between the nodes of a job, together with the same program on the "
    "others.\n"
    "They meet over TCP on the first node and know each other by munge. Prints one JSON object a\n"
    "line: cross_probe, cross_step (what is begun), cross_peer, cross_edge (a result), cross_end;\n"
    "cross_not_run or cross_error when nothing was measured.";
constexpr const char* kFooter =
    "Example, at the same time on hgx1 and on hgx2 (there with --node=hgx2):\n"
    "  yardmaster-crossnode-probe --node=hgx1 --nodes=hgx1,hgx2 --rail=mlx5_0,0 --rail=mlx5_1,1\n"
    "Exit status: 0 the nodes met, whatever the results; 1 they did not; 2 wrong arguments.";

/// What CLI11 fills in before it is checked and converted.
struct RawOptions {
    std::vector<std::string> rails;
    std::string leaf;
    RawMeasureOptions measure;
    double meet_s = 1.5;
    double budget_s = 3;
};

void add_meeting_options(CLI::App& app, RawOptions& raw, CrossProbeOptions& options) {
    app.add_option("--node", options.hello.node, "This node's name in --nodes")
        ->type_name("NAME")
        ->required();
    app.add_option(
           "--nodes", options.nodes, "All of them, the same on each; they meet on the first")
        ->type_name("NAME,...")
        ->delimiter(',')
        ->required();
    app.add_option("--rail", raw.rails, "A port and the number of its rail; may be repeated")
        ->type_name("PORT,RAIL")
        ->required();
    app.add_option("--leaf", raw.leaf, "This node's leaf group, as far as there is one")
        ->type_name("NAME");
    app.add_option("--hub", options.hub_address, "Address of the first node, if not its name")
        ->type_name("HOST");
    app.add_option("--tcp-port", options.tcp_port, "On the first node")
        ->type_name("N")
        ->check(CLI::Range(1, 65535))
        ->capture_default_str();
    app.add_option("--job", options.hello.meeting.job, "Only the same job's programs meet")
        ->type_name("ID");
    app.add_option("--restarts", options.hello.meeting.restarts, "Nor those of another start of it")
        ->type_name("N");
    app.add_flag("--proven", options.hello.proven, "Measure only if another node wants to");
    app.add_option("--meet-s", raw.meet_s, "How long nodes wait for each other")
        ->type_name("S")
        ->check(CLI::Range(0.05, 600.0))
        ->capture_default_str();
    app.add_option("--budget-s", raw.budget_s, "Time for everything together")
        ->type_name("S")
        ->check(CLI::Range(0.1, 600.0))
        ->capture_default_str();
    app.add_option(
           "--max-loss", options.max_loss, "Share of the usual rate that asks for a third party")
        ->type_name("SHARE")
        ->check(CLI::Range(0.01, 0.99))
        ->capture_default_str();
    app.add_option("--munge-library", options.munge_library, "A name or path for dlopen")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("--munge-socket", options.munge_socket, "munged's, if not munge's default")
        ->type_name("FILE");
}

Result<CrossPort> parse_rail(const std::string& text) {
    CrossPort rail;
    const auto comma = text.find(',');
    const auto port = parse_rdma_port(text.substr(0, comma));
    const char* end = text.data() + text.size();
    const char* number = comma == std::string::npos ? end : text.data() + comma + 1;
    const auto parsed = std::from_chars(number, end, rail.rail);
    if (!port || parsed.ec != std::errc() || parsed.ptr != end) {
        return Status(ErrorCode::kInvalidArgument,
                      "--rail \"" + text.substr(0, 80) + "\" must be PORT,RAIL: mlx5_0,0");
    }
    rail.port = *port;
    return rail;
}

Status convert(const RawOptions& raw, CrossProbeOptions& options) {
    HelloMessage& hello = options.hello;
    for (const std::string& text : raw.rails) {
        auto rail = parse_rail(text);
        if (!rail) {
            return rail.status();
        }
        rail->node = hello.node;
        rail->leaf = raw.leaf;
        hello.ports.push_back(std::move(rail).value());
    }
    if (std::find(options.nodes.begin(), options.nodes.end(), hello.node) == options.nodes.end()) {
        return {ErrorCode::kInvalidArgument, "--node " + hello.node + " is not one of --nodes"};
    }
    if (options.hub_address.empty()) {
        options.hub_address = options.nodes.front();
    }
    const auto nanoseconds = [](double seconds) {
        return std::chrono::nanoseconds(std::llround(seconds * 1e9));
    };
    options.meet = nanoseconds(raw.meet_s);
    options.budget = nanoseconds(raw.budget_s);
    take_measure_options(raw.measure, options.measure);
    return Status::ok();
}

std::unique_ptr<CLI::App> make_parser(RawOptions& raw, CrossProbeOptions& options) {
    auto app = std::make_unique<CLI::App>(kDescription, "yardmaster-crossnode-probe");
    app->footer(kFooter);
    app->set_version_flag("--version", "yardmaster-crossnode-probe " YM_VERSION);
    add_meeting_options(*app, raw, options);
    add_measure_options(*app, raw.measure, options.measure, options.verbs_library);
    return app;
}

}  // namespace

std::optional<CrossProbeOptions> parse_crossnode_probe_options(int argc,
                                                               char** argv,
                                                               int& exit_status) {
    RawOptions raw;
    CrossProbeOptions options;
    const auto app = make_parser(raw, options);
    const bool taken = take_probe_arguments(
        *app, argc, argv, [&] { return convert(raw, options); }, exit_status);
    return taken ? std::optional(std::move(options)) : std::nullopt;
}

void see_crossnode_probe_parser(const std::function<void(const CLI::App&)>& see) {
    RawOptions raw;
    CrossProbeOptions options;
    see(*make_parser(raw, options));
}

}  // namespace yardmaster
