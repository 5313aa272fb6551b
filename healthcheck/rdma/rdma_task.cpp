#include "healthcheck/rdma/rdma_task.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/budget/program.hpp"
#include "healthcheck/rdma/rdma_json.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;

/// What a run leaves of its time for the probe's start and end.
constexpr milliseconds kAround{300};
/// The first attempt leaves this share of the time to a second one.
constexpr double kFirstShare = 0.6;
/// One attempt on a healthy node is over in a fraction of this.
constexpr milliseconds kMostBudget{2000};

void send(int fd, const char* kind, JsonValue value) {
    write_line(fd, JsonValue::object().set(kind, std::move(value)).dump_exact());
}

void send_baseline(const std::vector<RdmaPair>& pairs, const CheckSources& sources, int fd) {
    const auto kept = read_state<RdmaBaselines>(sources.state_dir, kRdmaState);
    if (!kept.note.empty()) {
        send(fd, "rdma_note", kept.note);
    }
    for (const RdmaBaseline& baseline : kept.state.value_or(RdmaBaselines{}).pairs) {
        const bool asked = std::any_of(pairs.begin(), pairs.end(), [&](const RdmaPair& pair) {
            return pair_name(pair) == baseline.pair;
        });
        if (asked) {
            send(fd, "rdma_baseline", to_json(baseline));
        }
    }
}

std::vector<std::string> probe_arguments(const std::vector<RdmaPair>& pairs,
                                         const CheckSources& sources,
                                         milliseconds budget,
                                         unsigned attempt) {
    const RdmaPolicy& policy = sources.rdma;
    std::vector<std::string> words = {policy.probe};
    const auto option = [&](const char* name, const std::string& value) {
        words.push_back(std::string(name) + "=" + value);
    };
    option("--library", policy.library);
    option("--sysfs", sources.sysfs_root);
    option("--budget-s", seconds_argument(budget));
    option("--attempt", std::to_string(attempt));
    option("--traffic-class", std::to_string(policy.traffic_class));
    option("--memory", policy.gpu_memory ? "gpu" : "host");
    option("--cuda-library", policy.cuda_library);
    for (const RdmaPair& pair : pairs) {
        option("--pair", port_name(pair.from) + "," + port_name(pair.to));
    }
    return words;
}

bool time_for_probe(Clock::time_point deadline) {
    return deadline - Clock::now() >= kRdmaLeastTime;
}

/// Time for the probe itself in `share` of what is left.
milliseconds probe_budget(Clock::time_point deadline, double share) {
    const auto left = std::chrono::duration_cast<milliseconds>((deadline - Clock::now()) * share);
    return std::clamp(left - kAround, milliseconds(100), kMostBudget);
}

}  // namespace

std::vector<RdmaPair> plan_rdma(const CheckScope& scope,
                                const CheckSources& sources,
                                RdmaReading& reading) {
    const RdmaPolicy& policy = sources.rdma;
    if (policy.mode == CheckMode::kOff || scope.rails.empty()) {
        return {};
    }
    reading.asked = true;
    reading.needed = policy.mode == CheckMode::kOn;
    reading.max_loss = policy.max_loss;
    reading.min_share = policy.min_share;
    std::vector<RdmaPort> ports;
    for (const ExpectedRail& rail : scope.rails) {
        const auto port = parse_rdma_port(rail.device + ":" + std::to_string(rail.port));
        if (port) {
            ports.push_back(*port);
        }
    }
    return ring_of(ports);
}

Task rdma_task(const std::vector<RdmaPair>& pairs,
               const CheckSources& sources,
               milliseconds budget,
               unsigned attempt) {
    return {"RDMA probe", [=](int fd) {
                if (access(sources.rdma.probe.c_str(), X_OK) != 0) {
                    send(fd, "rdma_error", sources.rdma.probe + ": " + std::strerror(errno));
                    return;
                }
                if (attempt == 1) {
                    send_baseline(pairs, sources, fd);
                }
                send(fd,
                     "rdma_error",
                     become_program(probe_arguments(pairs, sources, budget, attempt), fd));
            }};
}

std::vector<TaskEnd> run_rdma(const CheckScope& scope,
                              const CheckSources& sources,
                              Clock::time_point deadline,
                              RdmaReading& reading,
                              const std::function<Clock::time_point(const std::string&)>& on_line) {
    std::vector<RdmaPair> pairs = plan_rdma(scope, sources, reading);
    std::vector<TaskEnd> ends;
    for (unsigned attempt = 1; attempt <= 2 && !pairs.empty(); ++attempt) {
        if (!time_for_probe(deadline)) {
            reading.not_run = attempt == 1 ? "no time was left for it" : "";
            break;
        }
        reading.ended = false;
        const milliseconds budget = probe_budget(deadline, attempt == 1 ? kFirstShare : 1);
        const auto own = collect({rdma_task(pairs, sources, budget, attempt)}, deadline, on_line);
        ends.insert(ends.end(), own.begin(), own.end());
        pairs = reading.ended ? pairs_to_measure_again(reading) : std::vector<RdmaPair>{};
    }
    return ends;
}

Status keep_rdma(const RdmaReading& reading, const CheckSources& sources) {
    if (!reading.asked || reading.pairs.empty()) {
        return Status::ok();
    }
    // Other jobs' rails have baselines of their own in the same file.
    auto kept = read_state<RdmaBaselines>(sources.state_dir, kRdmaState).state;
    RdmaBaselines all = kept.value_or(RdmaBaselines{});
    for (RdmaBaseline& learned : learned_from(reading).pairs) {
        std::erase_if(all.pairs, [&](const RdmaBaseline& old) { return old.pair == learned.pair; });
        all.pairs.push_back(std::move(learned));
    }
    return write_state(sources.state_dir, kRdmaState, to_json(all));
}

}  // namespace yardmaster
