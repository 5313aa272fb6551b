#include "healthcheck/nccl/probe/nccl_probe_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "healthcheck/probe_arguments.hpp"

namespace yardmaster {
namespace {

constexpr const char* kDescription =
    "Measures NCCL's all-reduce over exactly the GPUs given, and verifies the sums.\n"
    "Prints one JSON object a line: nccl_probe, nccl_step (what is begun), nccl_setup (versions,\n"
    "GPUs, and the time that contexts and communicators took), nccl_size (a result; busbw in GB/s\n"
    "for each window), nccl_sums, nccl_error, nccl_end.";
constexpr const char* kFooter =
    "GPUs are named by UUID (`nvidia-smi -L`) or PCI address, never by an index. NCCL_* and all\n"
    "other variables of the environment are cleared first. Example:\n"
    "  yardmaster-nccl-probe 0000:19:00.0 0000:3b:00.0\n"
    "Exit status: 0 measured, and the sums are right; 1 not; 2 wrong arguments.";

/// What CLI11 fills in before it is checked and converted.
struct RawNcclOptions {
    std::vector<std::uint64_t> sizes_mib = {64, 256, 1024};
    double window_ms = 8;
    double budget_s = 30;
    double max_init_s = 30;
};

void add_libraries(CLI::App& app, NcclProbeOptions& options) {
    const auto add = [&](const char* name, std::string& library, const char* what) {
        app.add_option(name, library, what)->type_name("FILE")->capture_default_str();
    };
    add("--cuda-library", options.cuda_library, "CUDA's driver, a name or path for dlopen");
    add("--nccl-library", options.nccl_library, "NCCL, a name or path for dlopen");
    add("--nvml-library", options.nvml_library, "NVML: turns PCI addresses into UUIDs");
}

void add_options(CLI::App& app, RawNcclOptions& raw, NcclProbeOptions& options) {
    app.add_option("GPU", options.gpus, "UUID (GPU-...) or PCI address of a GPU")
        ->type_name("")
        ->required()
        ->expected(1, 72);
    app.add_option("--size-mib", raw.sizes_mib, "Message sizes in MiB")
        ->type_name("MIB")
        ->delimiter(',')
        ->check(CLI::Range(1, 16384))
        ->capture_default_str();
    app.add_option("--windows", options.settings.windows, "Windows of a size in one pass")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--window-ms", raw.window_ms, "Shortest length of a window")
        ->type_name("MS")
        ->check(CLI::Range(1.0, 10000.0))
        ->capture_default_str();
    app.add_option("--passes", options.settings.passes, "How often every size is measured")
        ->type_name("N")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--budget-s", raw.budget_s, "Time for everything")
        ->type_name("S")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    app.add_option("--max-init-s", raw.max_init_s, "Time for contexts and communicators")
        ->type_name("S")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    add_libraries(app, options);
}

std::chrono::milliseconds milliseconds_of(double value, double factor) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(value * factor));
}

Status convert(const RawNcclOptions& raw, NcclProbeOptions& options) {
    if (std::set(options.gpus.begin(), options.gpus.end()).size() != options.gpus.size()) {
        return {ErrorCode::kInvalidArgument, "a GPU is named twice"};
    }
    options.settings.sizes.clear();
    for (const std::uint64_t size : raw.sizes_mib) {
        options.settings.sizes.push_back(size << 20);
    }
    std::sort(options.settings.sizes.begin(), options.settings.sizes.end());
    options.settings.window = milliseconds_of(raw.window_ms, 1);
    options.budget = milliseconds_of(raw.budget_s, 1000);
    options.max_init = milliseconds_of(raw.max_init_s, 1000);
    return Status::ok();
}

/// The parser; it fills in `raw` and `options`.
std::unique_ptr<CLI::App> make_parser(RawNcclOptions& raw, NcclProbeOptions& options) {
    auto app = std::make_unique<CLI::App>(kDescription, "yardmaster-nccl-probe");
    app->footer(kFooter);
    app->set_version_flag("--version", "yardmaster-nccl-probe " YM_VERSION);
    add_options(*app, raw, options);
    return app;
}

}  // namespace

std::optional<NcclProbeOptions> parse_nccl_probe_options(int argc, char** argv, int& exit_status) {
    RawNcclOptions raw;
    NcclProbeOptions options;
    const auto app = make_parser(raw, options);
    const bool taken = take_probe_arguments(
        *app, argc, argv, [&] { return convert(raw, options); }, exit_status);
    return taken ? std::optional(std::move(options)) : std::nullopt;
}

void see_nccl_probe_parser(const std::function<void(const CLI::App&)>& see) {
    RawNcclOptions raw;
    NcclProbeOptions options;
    see(*make_parser(raw, options));
}

}  // namespace yardmaster
