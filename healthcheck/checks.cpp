#include "healthcheck/checks.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <thread>

#include "healthcheck/active_checks.hpp"
#include "healthcheck/budget/collect.hpp"
#include "healthcheck/gpu/gpu_numbering.hpp"
#include "healthcheck/judge.hpp"
#include "healthcheck/port/growth_judge.hpp"
#include "healthcheck/readers.hpp"
#include "healthcheck/second_look.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

constexpr const char* kRealSysfs = "/sys";
// These say object by object what they could not read in time.
constexpr const char* kPortReader = "port reader";
constexpr const char* kGpuReader = "GPU reader";

/// All run at once; the longest begins first.
std::vector<Task> reader_tasks(const CheckScope& scope, const CheckSources& sources) {
    const bool gpus = !scope.gpus.empty() && !scope.mig;
    const bool ports = !scope.rails.empty() || rails_by_nearness(scope);
    std::vector<Task> tasks;
    if (!gpus && !ports) {
        return tasks;
    }
    if (scope.wiring && !scope.mig) {
        tasks.push_back({"wiring reader", [&](int fd) { send_wiring(sources, fd); }});
    }
    tasks.push_back({"PCIe reader", [&](int fd) { send_pcie(scope, sources, fd); }});
    if (gpus) {
        tasks.push_back({kGpuReader, [&](int fd) { send_gpus(scope, sources, fd); }});
    }
    if (ports) {
        tasks.push_back({kPortReader, [&](int fd) { send_ports(scope, sources, fd); }});
    }
    tasks.push_back({"state reader", [&](int fd) { send_state(sources, fd); }});
    return tasks;
}

std::vector<Task> second_look_tasks(const CheckScope& scope, const CheckSources& sources) {
    std::vector<Task> tasks;
    if (!scope.rails.empty()) {
        tasks.push_back({kPortReader, [&](int fd) { send_ports(scope, sources, fd); }});
    }
    if (!scope.gpus.empty()) {
        tasks.push_back({kGpuReader, [&](int fd) { send_gpus(scope, sources, fd); }});
    }
    return tasks;
}

/// procfs stands beside sysfs, also in a simulated node.
std::string boot_id(const CheckSources& sources) {
    const auto proc = std::filesystem::path(sources.sysfs_root).parent_path() / "proc";
    const auto id = read_small_file(proc / "sys/kernel/random/boot_id");
    return id ? *id : "";
}

/// Of a NIC that was measured; "" when none says so.
std::string simulated_firmware(const Readings& readings) {
    std::vector<std::string> all;
    for (const RdmaPairReading& pair : readings.rdma.pairs) {
        all.push_back(pair.from.firmware);
    }
    for (const CrossEdge& edge : readings.crossnode.edges) {
        all.push_back(edge.measured.from.firmware);
    }
    const auto found = std::find_if(all.begin(), all.end(), [](const std::string& firmware) {
        return firmware.find("SIMULATED") != std::string::npos;
    });
    return found == all.end() ? "" : *found;
}

void note_simulation(const CheckSources& sources, Readings& readings) {
    if (sources.sysfs_root != kRealSysfs) {
        readings.simulated.push_back("sysfs root is " + sources.sysfs_root);
    }
    if (readings.nvml.driver.find("SIMULATED") != std::string::npos) {
        readings.simulated.push_back("NVML driver is \"" + readings.nvml.driver + "\"");
    }
    if (const std::string firmware = simulated_firmware(readings); !firmware.empty()) {
        readings.simulated.push_back("NIC firmware is \"" + firmware + "\"");
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
        }
    }
}

/// Readers whose objects do not say themselves what of them was not read.
void note_unfinished(const std::vector<TaskEnd>& ends, Readings& readings) {
    for (const TaskEnd& end : ends) {
        const bool tells = end.name == kPortReader || end.name == kGpuReader;
        if (end.error.empty() && !end.finished && !tells) {
            readings.unfinished.push_back(end.name);
        }
    }
}

/// One run, stage by stage. A stage begins only while nothing certain has been found.
class CheckRun {
  public:
    CheckRun(const CheckScope& scope, const CheckSources& sources, Clock::time_point deadline)
        : scope_(scope), sources_(sources), deadline_(deadline) {
        readings_.boot_id = boot_id(sources);
        readings_.uptime_s = uptime_s();
    }

    Readings run() {
        const auto ends = collect(
            reader_tasks(scope_, sources_),
            deadline_,
            [this](const std::string& line) { take(line, readings_); },
            [this] { return deadline_now(); });
        note_ends(ends, readings_);
        note_unfinished(ends, readings_);
        look_again();
        const CheckScope by_minor = number_by_minor(scope_, readings_.nvml, readings_.gpus).scope;
        for (const ActiveCheck& check : active_checks(by_minor, sources_, readings_)) {
            run_active(check);
        }
        note_growth(scope_, readings_);
        note_simulation(sources_, readings_);
        return std::move(readings_);
    }

  private:
    bool certain() const { return is_certain(judge(scope_, readings_)); }

    Clock::time_point deadline_now() const {
        return certain() ? Clock::now() + kGraceAfterCertain : deadline_;
    }

    std::function<Clock::time_point(const std::string&)> on_line() {
        return [this](const std::string& line) {
            take(line, readings_);
            return deadline_now();
        };
    }

    void take(const std::string& line, Readings& readings) {
        if (Status status = apply_line(line, readings); !status) {
            readings_.notes.push_back("a reader's line was not understood: " + status.message());
        }
    }

    /// Reads again what may have been passing. A reader that hangs now leaves such signs unproven.
    void look_again() {
        const auto numbered = number_by_minor(scope_, readings_.nvml, readings_.gpus);
        CheckScope again = second_look_scope(numbered.scope, judge(scope_, readings_));
        if (certain() || (again.rails.empty() && again.gpus.empty()) ||
            Clock::now() + kSecondLookPause >= deadline_) {
            return;
        }
        std::this_thread::sleep_for(kSecondLookPause);
        Readings second;
        const auto ends =
            collect(second_look_tasks(again, sources_), deadline_, [&](const std::string& line) {
                take(line, second);
                return deadline_;
            });
        for (const TaskEnd& end : ends) {
            if (!end.finished) {
                readings_.notes.push_back("second look: " + end.name + " was given up");
            }
        }
        readings_.second_look = {std::move(second.ports), std::move(second.gpus)};
    }

    std::optional<std::string> proven(const ActiveCheck& check) const {
        const ProvenState& kept = readings_.proven;
        if (!check.may_skip || kept.boot_id != readings_.boot_id ||
            kept.driver != readings_.nvml.driver) {
            return std::nullopt;
        }
        return proven_lately(
            kept, check.name, check.objects(), readings_.uptime_s, sources_.proven_for);
    }

    /// Why `check` need not run; a check that asks other nodes first is told, and runs.
    std::optional<std::string> skippable(const ActiveCheck& check) const {
        const auto why = proven(check);
        if (why && check.passed_lately) {
            check.passed_lately();
            return std::nullopt;
        }
        return why;
    }

    void run_active(const ActiveCheck& check) {
        if (check.plan()) {
            if (certain()) {
                check.skip("what was found is certain without it");
            } else if (const auto why = skippable(check)) {
                check.skip(*why);
            } else if (deadline_ - Clock::now() < check.least_time) {
                check.skip("no time was left for it");
            } else {
                note_ends(check.run(deadline_, on_line()), readings_);
            }
        }
        if (const std::string why = check.not_run(); !why.empty()) {
            readings_.notes.push_back(check.name + " not run: " + why);
        }
    }

    const CheckScope& scope_;
    const CheckSources& sources_;
    Clock::time_point deadline_;
    Readings readings_;
};

}  // namespace

Report run_checks(const CheckScope& scope,
                  const CheckSources& sources,
                  Clock::time_point deadline) {
    const Clock::time_point begin = Clock::now();
    Report report;
    report.scope = scope;
    report.readings = CheckRun(scope, sources, deadline).run();
    report.findings = judge(scope, report.readings);
    report.verdict = combine(report.findings);
    report.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    return report;
}

}  // namespace yardmaster
