// yardmaster-nccl-probe: the NCCL check's measuring part, as a program of its own, because the
// libraries are heavy, read their settings from the environment, and may hang.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>

#include "healthcheck/gpu/gpu_reader.hpp"
#include "healthcheck/nccl/nccl_json.hpp"
#include "healthcheck/nccl/probe/nccl_probe_options.hpp"
#include "healthcheck/nccl/probe/probe_environment.hpp"
#include "healthcheck/nccl/probe/watchdog.hpp"

namespace yardmaster {
namespace {

/// A moment after the budget: then a call that does not return ends the program.
constexpr std::chrono::milliseconds kGrace{200};

std::string line_of(const char* kind, JsonValue value) {
    return JsonValue::object().set(kind, std::move(value)).dump_exact();
}

JsonValue error_to_json(const NcclFailure& failure) {
    return JsonValue::object().set("fault", to_string(failure.fault)).set("error", failure.error);
}

/// Results leave by a descriptor of their own. What the libraries print, as NCCL does when the
/// site's nccl.conf has NCCL_DEBUG, goes to stderr.
int take_stdout() {
    const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return fd;
}

/// NVML's "00000000:19:00.0" and the kernel's "0000:19:00.0" are one address.
std::string short_address(std::string address) {
    std::transform(address.begin(), address.end(), address.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    const auto colon = address.find(':');
    return colon != std::string::npos && colon > 4 ? address.substr(colon - 4) : address;
}

Result<std::string> uuid_at(const std::string& address, const std::vector<GpuReading>& gpus) {
    for (const GpuReading& gpu : gpus) {
        if (!gpu.uuid.empty() && short_address(gpu.pci) == short_address(address)) {
            return gpu.uuid;
        }
    }
    return Status(ErrorCode::kNotFound,
                  "no GPU has the PCI address \"" + address +
                      "\": `nvidia-smi --query-gpu=pci.bus_id,uuid --format=csv` lists them");
}

Result<std::vector<GpuReading>> list_gpus(const std::string& library) {
    const auto nvml = make_nvml(library);
    const NvmlReading reading = read_nvml(*nvml);
    if (!reading.loaded) {
        return Status(ErrorCode::kNotFound, "PCI addresses need NVML: " + reading.error);
    }
    std::vector<GpuReading> gpus;
    for (unsigned index = 0; index < reading.device_count.value; ++index) {
        gpus.push_back(read_gpu(*nvml, index));
    }
    return gpus;
}

Result<std::vector<std::string>> uuids_of(const NcclProbeOptions& options) {
    const auto is_uuid = [](const std::string& gpu) { return gpu.starts_with("GPU-"); };
    if (std::all_of(options.gpus.begin(), options.gpus.end(), is_uuid)) {
        return options.gpus;
    }
    const auto listed = list_gpus(options.nvml_library);
    std::vector<std::string> uuids;
    for (const std::string& gpu : options.gpus) {
        auto uuid = !listed || is_uuid(gpu) ? Result<std::string>(gpu) : uuid_at(gpu, *listed);
        if (!listed || !uuid) {
            return listed ? uuid.status() : listed.status();
        }
        uuids.push_back(std::move(uuid).value());
    }
    return uuids;
}

NcclFailure absent(const Status& status) {
    return {NcclFault::kAbsent, status.message()};
}

class NcclProbe {
  public:
    NcclProbe(NcclProbeOptions options, int fd)
        : options_(std::move(options)), fd_(fd), begin_(Clock::now()) {}

    /// The exit status. Does not return when the GPUs hang.
    int run() {
        say("nccl_probe", JsonValue::object().set("version", YM_VERSION));
        give_up_at(std::min(options_.max_init, options_.budget), "contexts and communicators");
        attempt_.site_conf = site_conf_fingerprint();
        const NcclFailure failure = prepare_and_measure();
        if (failure) {
            say("nccl_error", error_to_json(failure));
        } else {
            const std::chrono::duration<double, std::milli> took = Clock::now() - begin_;
            say("nccl_end", JsonValue::object().set("took_ms", took.count()));
        }
        return !failure && attempt_.sums == NcclSums::kRight ? 0 : 1;
    }

  private:
    void say(const char* kind, JsonValue value) const {
        write_line(fd_, line_of(kind, std::move(value)));
    }

    void give_up_at(std::chrono::milliseconds time, const std::string& what) const {
        const auto since =
            std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
        const std::string error =
            what + " were not done after " + std::to_string(time.count()) + " ms";
        end_process_after(
            time - since, fd_, line_of("nccl_error", error_to_json({NcclFault::kHung, error})));
    }

    NcclFailure prepare_and_measure() {
        const auto uuids = uuids_of(options_);
        if (!uuids) {
            return {NcclFault::kFailed, uuids.status().message()};
        }
        options_.settings.uuids = *uuids;
        options_.settings.deadline = begin_ + options_.budget;
        set_probe_environment(*uuids);
        const auto cuda = make_cuda(options_.cuda_library);
        const auto nccl = make_nccl(options_.nccl_library);
        say("nccl_step", "load " + options_.cuda_library);
        if (Status status = cuda->load(); !status) {
            return absent(status);
        }
        say("nccl_step", "load " + options_.nccl_library);
        if (Status status = nccl->load(); !status) {
            return absent(status);
        }
        const NcclFailure failure =
            measure_nccl(*cuda, *nccl, options_.settings, sinks(), attempt_);
        if (failure.fault == NcclFault::kHung) {
            say("nccl_error", error_to_json(failure));
            _exit(1);  // no destructor may touch what hangs
        }
        return failure;
    }

    NcclSinks sinks() {
        return {[this](const std::string& step) { say("nccl_step", step); },
                [this](const NcclAttempt& attempt) { say("nccl_setup", setup_to_json(attempt)); },
                [this](const NcclBandwidth& size) { say("nccl_size", to_json(size)); },
                [this](const NcclAttempt& attempt) {
                    say("nccl_sums",
                        JsonValue::object()
                            .set("sums", to_string(attempt.sums))
                            .set("sums_detail", attempt.sums_detail));
                },
                [this] { give_up_at(options_.budget + kGrace, "all-reduces"); }};
    }

    NcclProbeOptions options_;
    int fd_;
    Clock::time_point begin_;
    NcclAttempt attempt_;
};

}  // namespace
}  // namespace yardmaster

int main(int argc, char** argv) {
    int exit_status = 0;
    auto options = yardmaster::parse_nccl_probe_options(argc, argv, exit_status);
    if (!options) {
        return exit_status;
    }
    std::signal(SIGPIPE, SIG_IGN);
    const int fd = yardmaster::take_stdout();
    return yardmaster::NcclProbe(std::move(*options), fd).run();
}
