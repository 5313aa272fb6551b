#include "healthcheck/checks.hpp"

#include <filesystem>

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/judge.hpp"
#include "healthcheck/nccl/nccl_task.hpp"
#include "healthcheck/rdma/rdma_task.hpp"
#include "healthcheck/readers.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

constexpr const char* kRealSysfs = "/sys";

std::vector<Task> reader_tasks(const CheckScope& scope, const CheckSources& sources) {
    std::vector<Task> tasks;
    if (!scope.rails.empty()) {
        tasks.push_back({"port reader", [&](int fd) { send_ports(scope, sources, fd); }});
    }
    if (!scope.gpus.empty() && !scope.mig) {
        tasks.push_back({"GPU reader", [&](int fd) { send_gpus(scope, sources, fd); }});
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

void note_ends(const std::vector<TaskEnd>& ends, Readings& readings) {
    for (const TaskEnd& end : ends) {
        if (!end.error.empty()) {
            readings.notes.push_back(end.name + " could not start: " + end.error);
        } else if (!end.finished) {
            readings.notes.push_back(end.name + " was given up: it did not finish in time");
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
    readings.boot_id = boot_id(sources);
    note_simulation(sources, readings);
    report.findings = judge(scope, readings);
    report.verdict = combine(report.findings);
    report.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    return report;
}

}  // namespace yardmaster
