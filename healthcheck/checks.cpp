#include "healthcheck/checks.hpp"

#include <ctime>
#include <filesystem>

#include "healthcheck/baseline/next_baseline.hpp"
#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/budget/collect.hpp"
#include "healthcheck/judge.hpp"
#include "healthcheck/nccl/nccl_task.hpp"
#include "healthcheck/port/growth_judge.hpp"
#include "healthcheck/rdma/rdma_task.hpp"
#include "healthcheck/readers.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

constexpr const char* kRealSysfs = "/sys";
// These say object by object what they could not read in time.
constexpr const char* kPortReader = "port reader";
constexpr const char* kGpuReader = "GPU reader";

std::vector<Task> reader_tasks(const CheckScope& scope, const CheckSources& sources) {
    std::vector<Task> tasks;
    if (!scope.rails.empty() || rails_by_nearness(scope)) {
        tasks.push_back({kPortReader, [&](int fd) { send_ports(scope, sources, fd); }});
    }
    if (!scope.gpus.empty() && !scope.mig) {
        tasks.push_back({kGpuReader, [&](int fd) { send_gpus(scope, sources, fd); }});
    }
    if (tasks.empty()) {
        return tasks;
    }
    tasks.push_back({"state reader", [&](int fd) { send_state(sources, fd); }});
    tasks.push_back({"PCIe reader", [&](int fd) { send_pcie(scope, sources, fd); }});
    if (scope.wiring && !scope.mig) {
        tasks.push_back({"wiring reader", [&](int fd) { send_wiring(sources, fd); }});
    }
    return tasks;
}

/// procfs stands beside sysfs, also in a simulated node.
std::string boot_id(const CheckSources& sources) {
    const auto proc = std::filesystem::path(sources.sysfs_root).parent_path() / "proc";
    const auto id = read_small_file(proc / "sys/kernel/random/boot_id");
    return id ? *id : "";
}

void note_simulation(const CheckSources& sources, Readings& readings) {
    if (sources.sysfs_root != kRealSysfs) {
        readings.simulated.push_back("sysfs root is " + sources.sysfs_root);
    }
    if (readings.nvml.driver.find("SIMULATED") != std::string::npos) {
        readings.simulated.push_back("NVML driver is \"" + readings.nvml.driver + "\"");
    }
    for (const RdmaPairReading& pair : readings.rdma.pairs) {
        if (pair.from.firmware.find("SIMULATED") != std::string::npos) {
            readings.simulated.push_back("NIC firmware is \"" + pair.from.firmware + "\"");
            break;
        }
    }
    for (const NcclAttempt& attempt : readings.nccl.attempts) {
        if (!attempt.gpus.empty() &&
            attempt.gpus.front().name.find("SIMULATED") != std::string::npos) {
            readings.simulated.push_back("CUDA device is \"" + attempt.gpus.front().name + "\"");
            break;
        }
    }
}

double uptime_s() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// What helps people to understand the evidence, and what counters could not tell.
void note_growth(const CheckScope& scope, Readings& readings) {
    for (const PortReading& port : readings.ports) {
        const auto notes = growth_notes(port, readings);
        readings.notes.insert(readings.notes.end(), notes.begin(), notes.end());
    }
    if (!readings.identities.empty()) {
        readings.notes.push_back("ports: " + describe_roles(readings.identities, scope.node_rails));
    }
    if (!readings.wiring.error.empty()) {
        readings.notes.push_back("wiring not checked: " + readings.wiring.error);
    }
}

void note_ends(const std::vector<TaskEnd>& ends, Readings& readings) {
    for (const TaskEnd& end : ends) {
        if (!end.error.empty()) {
            readings.notes.push_back(end.name + " could not start: " + end.error);
        } else if (!end.finished) {
            readings.notes.push_back(end.name + " was given up: it did not finish in time");
            if (end.name != kPortReader && end.name != kGpuReader) {
                readings.unfinished.push_back(end.name);
            }
        }
    }
}

}  // namespace

Report run_checks(const CheckScope& scope,
                  const CheckSources& sources,
                  Clock::time_point deadline) {
    const Clock::time_point begin = Clock::now();
    Report report;
    report.scope = scope;
    Readings& readings = report.readings;
    readings.boot_id = boot_id(sources);
    readings.uptime_s = uptime_s();
    const auto on_line = [&](const std::string& line) {
        if (Status status = apply_line(line, readings); !status) {
            readings.notes.push_back("a reader's line was not understood: " + status.message());
        }
        return is_certain(judge(scope, readings)) ? Clock::now() + kGraceAfterCertain : deadline;
    };
    note_ends(collect(reader_tasks(scope, sources), deadline, on_line), readings);
    if (!is_certain(judge(scope, readings))) {
        note_ends(run_rdma(scope, sources, deadline, readings.rdma, on_line), readings);
    }
    if (!is_certain(judge(scope, readings))) {
        note_ends(
            run_nccl(
                scope, sources, deadline, readings.nvml, readings.gpus, readings.nccl, on_line),
            readings);
    }
    note_growth(scope, readings);
    note_simulation(sources, readings);
    report.findings = judge(scope, readings);
    report.verdict = combine(report.findings);
    report.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    return report;
}

Status keep_counters(const Report& report, const CheckSources& sources) {
    const CounterBaseline next = next_baseline(report.scope, report.readings);
    if (!baseline_moves(next, report.readings.baseline)) {
        return Status::ok();
    }
    return write_state(sources.state_dir, kCounterSubject, to_json(next));
}

bool counters_moved(const Report& report) {
    return baseline_moves(next_baseline(report.scope, report.readings), report.readings.baseline);
}

}  // namespace yardmaster
