#include "healthcheck/active_checks.hpp"

#include <algorithm>
#include <memory>

#include "healthcheck/crossnode/cross_task.hpp"
#include "healthcheck/gpu/busy_gpu.hpp"
#include "healthcheck/gpu/gpu_counters.hpp"
#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/nccl/nccl_task.hpp"
#include "healthcheck/pcie/pcie_reading.hpp"
#include "healthcheck/port/counter_table.hpp"
#include "healthcheck/port/growth_judge.hpp"
#include "healthcheck/rdma/payload_rate.hpp"
#include "healthcheck/rdma/rdma_task.hpp"

namespace yardmaster {
namespace {

using Counters = std::map<std::string, std::uint64_t>;
using OnLine = std::function<Clock::time_point(const std::string&)>;

/// Congestion moves without a fault, so it does not ask for a new test.
void add_port_counters(const PortReading& port, Counters& counters) {
    for (const PortCounter& row : port_counters()) {
        const auto found = port.counters.find(std::string(row.file));
        if (!row.advisory && found != port.counters.end() && found->second.value) {
            counters[found->first] = *found->second.value;
        }
    }
}

void add_pci_errors(const PciReading& device, Counters& counters) {
    for (const auto& [name, count] : device.errors) {
        counters["pci " + name] = count;
    }
}

std::vector<ProvenObject> rail_objects(const CheckScope& scope, const Readings& readings) {
    std::vector<ProvenObject> objects;
    for (const ExpectedRail& rail : scope.rails) {
        PortReading named;
        named.device = rail.device;
        named.port = rail.port;
        ProvenObject object{port_name(named), {}};
        for (const PortReading& port : readings.ports) {
            if (port_name(port) == object.name) {
                add_port_counters(port, object.counters);
            }
        }
        for (const PciReading& device : readings.pci) {
            if (device.device == rail.device) {
                add_pci_errors(device, object.counters);
            }
        }
        objects.push_back(std::move(object));
    }
    return objects;
}

/// GPUs behind NVSwitches are proven each by itself, in whatever company; others with their set.
std::vector<ProvenObject> gpu_objects(const CheckScope& scope, const Readings& readings) {
    const std::string set = readings.nccl.set.empty() ? "" : " of " + readings.nccl.set;
    std::vector<ProvenObject> objects;
    for (const unsigned minor : scope.gpus) {
        if (const GpuReading* gpu = find_gpu(readings.gpus, minor)) {
            objects.push_back({gpu->uuid + set, gpu_counters(*gpu)});
        }
    }
    return objects;
}

bool none_of_check(const std::vector<Finding>& findings, std::string_view check) {
    return std::none_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.check == check;
    });
}

/// Whether every pair was held against earlier runs: a pass against nothing proves little, and each
/// run until then is one to learn from.
bool compared(const RdmaReading& reading) {
    return !reading.pairs.empty() &&
           std::all_of(
               reading.pairs.begin(), reading.pairs.end(), [&](const RdmaPairReading& pair) {
                   return std::any_of(reading.baseline.begin(),
                                      reading.baseline.end(),
                                      [&](const RdmaBaseline& baseline) {
                                          return baseline.pair == pair_name(pair.pair()) &&
                                                 baseline.conditions == conditions_of(pair) &&
                                                 baseline.gbps.size() >= kBaselineLeast;
                                      });
               });
}

bool compared(const NcclReading& reading) {
    const NcclAttempt& attempt = reading.attempts.back();
    return !attempt.sizes.empty() &&
           std::all_of(attempt.sizes.begin(), attempt.sizes.end(), [&](const NcclBandwidth& size) {
               const NcclBaseline* baseline =
                   find_baseline(reading.baselines, conditions_of(reading, attempt, size.bytes));
               return baseline != nullptr && baseline->busbw.size() >= kNcclBaselineLeast;
           });
}

/// First, as it costs the least: a fraction of a second on a healthy node. Rails of GPUs that
/// others compute on carry their traffic, and are left out.
ActiveCheck rdma_check(const CheckScope& given, const CheckSources& sources, Readings& readings) {
    RdmaReading& reading = readings.rdma;
    const auto scope = std::make_shared<const CheckScope>(without_busy_rails(given, readings.gpus));
    ActiveCheck check;
    check.name = "RDMA";
    check.least_time = kRdmaLeastTime;
    check.may_skip = sources.rdma.mode == CheckMode::kAuto;
    check.plan = [&, scope] {
        const bool any = !plan_rdma(given, sources, reading).empty();
        if (scope->rails.size() == given.rails.size()) {
            return any;
        }
        const std::string busy = describe_busy(given, readings.gpus);
        if (scope->rails.empty()) {
            reading.not_run = busy;
        } else if (any) {
            readings.notes.push_back("RDMA leaves rails out: " + busy);
        }
        return any && !scope->rails.empty();
    };
    check.objects = [&, scope] { return rail_objects(*scope, readings); };
    check.skip = [&](const std::string& why) { reading.not_run = why; };
    check.run = [&, scope](Clock::time_point deadline, const OnLine& on_line) {
        return run_rdma(*scope, sources, deadline, reading, on_line);
    };
    check.not_run = [&] { return reading.asked ? reading.not_run : ""; };
    check.ran = [&] { return reading.asked && reading.not_run.empty() && !reading.pairs.empty(); };
    check.passed = [&](const std::vector<Finding>& findings) {
        return reading.ended && compared(reading) && none_of_check(findings, "rdma");
    };
    return check;
}

/// Whether an edge was measured with every one of the scope's ports.
bool all_met(const CheckScope& scope, const CrossReading& reading) {
    return std::all_of(scope.rails.begin(), scope.rails.end(), [&](const ExpectedRail& rail) {
        const RdmaPort port{rail.device, rail.port};
        return std::any_of(reading.edges.begin(), reading.edges.end(), [&](const CrossEdge& edge) {
            const CrossPort& own = edge.from.node == scope.node ? edge.from : edge.to;
            return own.node == scope.node && own.port == port &&
                   edge.measured.outcome == RdmaOutcome::kMeasured;
        });
    });
}

/// After RDMA: nodes whose rails were proven lately wait for the others, and NCCL takes longest.
ActiveCheck cross_check(const CheckScope& given, const CheckSources& sources, Readings& readings) {
    CrossReading& reading = readings.crossnode;
    const auto scope = std::make_shared<const CheckScope>(without_busy_rails(given, readings.gpus));
    const auto proven = std::make_shared<bool>(false);
    ActiveCheck check;
    check.name = "crossnode";
    check.least_time = kCrossLeastTime;
    check.may_skip = sources.crossnode.mode == CheckMode::kAuto;
    check.passed_lately = [=] { *proven = true; };
    check.plan = [&, scope] { return plan_cross(*scope, sources, reading); };
    check.objects = [&, scope] { return rail_objects(*scope, readings); };
    check.skip = [&](const std::string& why) { reading.not_run = why; };
    check.run = [&, scope, proven](Clock::time_point deadline, const OnLine& on_line) {
        return run_cross(*scope, sources, *proven, deadline, on_line);
    };
    check.not_run = [&] { return reading.asked ? reading.not_run : ""; };
    check.ran = [&] { return reading.asked && reading.not_run.empty() && !reading.edges.empty(); };
    check.passed = [&, scope](const std::vector<Finding>& findings) {
        return reading.ended && all_met(*scope, reading) && none_of_check(findings, "crossnode");
    };
    return check;
}

ActiveCheck nccl_check(const CheckScope& scope, const CheckSources& sources, Readings& readings) {
    NcclReading& reading = readings.nccl;
    ActiveCheck check;
    check.name = "NCCL";
    check.least_time = kNcclLeastTime;
    check.may_skip = sources.nccl.mode == CheckMode::kAuto;
    check.plan = [&] { return plan_nccl(scope, sources, readings.nvml, readings.gpus, reading); };
    check.objects = [&] { return gpu_objects(scope, readings); };
    check.skip = [&](const std::string& why) { reading.not_run = why; };
    check.run = [&](Clock::time_point deadline, const OnLine& on_line) {
        return run_nccl(scope, sources, deadline, readings.nvml, readings.gpus, reading, on_line);
    };
    check.not_run = [&] { return reading.asked ? reading.not_run : ""; };
    check.ran = [&] {
        return reading.asked && reading.not_run.empty() && !reading.attempts.empty();
    };
    check.passed = [&](const std::vector<Finding>& findings) {
        return reading.attempts.back().ended && reading.attempts.back().fault == NcclFault::kNone &&
               reading.attempts.back().sums == NcclSums::kRight && compared(reading) &&
               none_of_check(findings, "nccl");
    };
    return check;
}

}  // namespace

std::vector<ActiveCheck> active_checks(const CheckScope& scope,
                                       const CheckSources& sources,
                                       Readings& readings) {
    return {rdma_check(scope, sources, readings),
            cross_check(scope, sources, readings),
            nccl_check(scope, sources, readings)};
}

ProvenState next_proven(const CheckScope& scope,
                        const CheckSources& sources,
                        const Readings& readings,
                        const std::vector<Finding>& findings) {
    ProvenState next;
    if (readings.proven.boot_id == readings.boot_id &&
        readings.proven.driver == readings.nvml.driver) {
        next = readings.proven;
    }
    next.boot_id = readings.boot_id;
    next.driver = readings.nvml.driver;
    Readings own = readings;
    for (const ActiveCheck& check : active_checks(scope, sources, own)) {
        if (check.ran()) {  // what came out bad has lost its earlier passes
            drop_passes(check.name, check.objects(), next);
        }
        if (!next.boot_id.empty() && check.ran() && check.passed(findings)) {
            add_passes(check.name, check.objects(), readings.uptime_s, next);
        }
    }
    return next;
}

}  // namespace yardmaster
