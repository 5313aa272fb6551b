#include "healthcheck/crossnode/cross_task.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/json_value.hpp"
#include "healthcheck/budget/program.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;

/// What a run leaves of its time for the probe's start and end.
constexpr milliseconds kAround{300};
/// The measurements of a meeting, third parties included, once everybody is there.
constexpr milliseconds kMostAfterMeeting{2500};
/// ACK timeout of 17 ms, 67 ms at most: with three retries a port that does not answer is known
/// after 0.07 to 0.27 s, in time for third parties.
constexpr const char* kTimeoutExponent = "12";

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ",") + name;
    }
    return text;
}

std::string rail_text(const ExpectedRail& rail) {
    return port_name(RdmaPort{rail.device, rail.port}) + "," + std::to_string(rail.rail);
}

std::vector<std::string> probe_arguments(const CheckScope& scope,
                                         const CheckSources& sources,
                                         milliseconds budget,
                                         bool proven) {
    const CrossPolicy& policy = sources.crossnode;
    const JobNodes& job = sources.job_nodes;
    std::vector<std::string> words = {policy.probe};
    const auto option = [&](const char* name, const std::string& value) {
        words.push_back(std::string(name) + "=" + value);
    };
    option("--job", std::to_string(scope.job));
    option("--restarts", std::to_string(job.restarts));
    option("--node", scope.node);
    option("--nodes", joined(job.nodes));
    option("--hub", job.hub_address);
    option("--tcp-port", std::to_string(policy.first_port + scope.job % policy.ports));
    option("--leaf", scope.leaf);
    option("--max-loss", std::to_string(policy.max_loss));
    option("--meet-s", seconds_argument(std::min(policy.meet, budget)));
    option("--budget-s", seconds_argument(budget));
    option("--munge-library", policy.munge_library);
    option("--munge-socket", job.munge_socket);
    option("--library", sources.rdma.library);
    option("--sysfs", sources.sysfs_root);
    option("--timeout", kTimeoutExponent);
    option("--traffic-class", std::to_string(sources.rdma.traffic_class));
    option("--memory", sources.rdma.gpu_memory ? "gpu" : "host");
    option("--cuda-library", sources.rdma.cuda_library);
    if (proven) {
        words.emplace_back("--proven");
    }
    for (const ExpectedRail& rail : scope.rails) {
        option("--rail", rail_text(rail));
    }
    return words;
}

std::string why_not(const CheckSources& sources) {
    const CrossPolicy& policy = sources.crossnode;
    const std::size_t nodes = sources.job_nodes.nodes.size();
    if (policy.mode == CheckMode::kAuto && nodes > policy.max_nodes) {
        return "the job has " + std::to_string(nodes) + " nodes, health.crossnode.max_nodes is " +
               std::to_string(policy.max_nodes);
    }
    if (!sources.job_nodes.unknown.empty()) {
        return sources.job_nodes.unknown;
    }
    return access(policy.probe.c_str(), X_OK) == 0 ? ""
                                                   : policy.probe + ": " + std::strerror(errno);
}

}  // namespace

bool plan_cross(const CheckScope& scope, const CheckSources& sources, CrossReading& reading) {
    const CrossPolicy& policy = sources.crossnode;
    if (policy.mode == CheckMode::kOff || sources.job_nodes.nodes.size() < 2 ||
        scope.rails.empty()) {
        return false;
    }
    reading.asked = true;
    reading.needed = policy.mode == CheckMode::kOn;
    reading.max_loss = policy.max_loss;
    reading.not_run = why_not(sources);
    return reading.not_run.empty();
}

Task cross_task(const CheckScope& scope,
                const CheckSources& sources,
                milliseconds budget,
                bool proven) {
    return {"cross-node probe", [=](int fd) {
                const std::string error =
                    become_program(probe_arguments(scope, sources, budget, proven), fd);
                write_line(fd, JsonValue::object().set("cross_error", error).dump_exact());
            }};
}

std::vector<TaskEnd> run_cross(
    const CheckScope& scope,
    const CheckSources& sources,
    bool proven,
    Clock::time_point deadline,
    const std::function<Clock::time_point(const std::string&)>& on_line) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
    const milliseconds budget =
        std::clamp(left - kAround, milliseconds(100), sources.crossnode.meet + kMostAfterMeeting);
    return collect({cross_task(scope, sources, budget, proven)}, deadline, on_line);
}

}  // namespace yardmaster
