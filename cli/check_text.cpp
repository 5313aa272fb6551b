#include "cli/check_text.hpp"

#include <algorithm>

#include "cli/table.hpp"
#include "cli/words.hpp"
#include "healthcheck/gpu/gpu_numbering.hpp"

namespace yardmaster::cli {
namespace {

std::string or_unread(const std::optional<std::string>& text) {
    return text.value_or("unreadable");
}

const PortReading* find_port(const Readings& readings, const ExpectedRail& rail) {
    const auto found =
        std::find_if(readings.ports.begin(), readings.ports.end(), [&](const PortReading& port) {
            return port.device == rail.device && port.port == rail.port;
        });
    return found != readings.ports.end() ? &*found : nullptr;
}

void print_rails(const Report& report, std::ostream& out) {
    Table table({"RAIL", "EXPECTED", "STATE", "PHYSICAL", "RATE"});
    for (const ExpectedRail& rail : report.scope.rails) {
        const PortReading* port = find_port(report.readings, rail);
        const bool there = port != nullptr && port->present;
        table.add({rail.device + ":" + std::to_string(rail.port),
                   number(rail.gbps) + " Gb/s",
                   there ? or_unread(port->state) : "absent",
                   there ? or_unread(port->phys_state) : "",
                   there ? or_unread(port->rate) : ""});
    }
    if (!table.empty()) {
        out << '\n';
        table.print(out);
    }
}

std::string number_text(const NvmlNumber& value) {
    return value.ok() ? std::to_string(value.value) : "-";
}

std::string remap_text(const GpuReading& gpu) {
    if (!gpu.remap_pending.ok() || !gpu.remap_failed.ok()) {
        return "-";
    }
    return gpu.remap_failed.value != 0    ? "failed"
           : gpu.remap_pending.value != 0 ? "pending"
                                          : "none";
}

void print_gpus(const Report& report, std::ostream& out) {
    if (!report.readings.nvml.loaded) {
        return;
    }
    Table table({"GPU", "MODEL", "PCI", "NVLINKS UP", "UNCORRECTED ECC", "ROW REMAP"});
    const auto& readings = report.readings;
    const auto wanted = number_by_minor(report.scope, readings.nvml, readings.gpus).scope.gpus;
    for (const GpuReading& gpu : readings.gpus) {
        const bool in_scope =
            !gpu.minor.ok() ||
            std::find(wanted.begin(), wanted.end(), gpu.minor.value) != wanted.end();
        if (in_scope) {
            table.add({number_text(gpu.minor),
                       gpu.model.empty() ? "lost" : gpu.model,
                       gpu.pci,
                       nvlinks_text(gpu),
                       number_text(gpu.ecc_uncorrected),
                       remap_text(gpu)});
        }
    }
    if (!table.empty()) {
        out << '\n';
        table.print(out);
    }
}

void print_findings(const Report& report, std::ostream& out) {
    Table table({"FINDING", "OBJECT", "VERDICT", "DETAIL"});
    for (const Finding& finding : report.findings) {
        table.add(
            {finding.sign,
             finding.object.empty() ? "-" : finding.object,
             std::string(to_string(finding.verdict)) + (finding.certain    ? ", certain"
                                                        : finding.repeated ? ", measured twice"
                                                                           : ""),
             finding.detail});
    }
    if (!table.empty()) {
        out << '\n';
        table.print(out);
    }
}

const char* consequence(Verdict verdict) {
    switch (verdict) {
        case Verdict::kHealthy:
            return "a job may start here";
        case Verdict::kDegraded:
            return "the prolog would drain this node";
        case Verdict::kUnknown:
            return "the prolog would let a job start, and keep the evidence";
    }
    return "";
}

}  // namespace

// Links that the device does not have answer with an error and count as none.
std::string nvlinks_text(const GpuReading& gpu) {
    std::size_t known = 0;
    std::size_t active = 0;
    for (const NvmlNumber& link : gpu.nvlinks) {
        known += link.ok() ? 1 : 0;
        active += link.ok() && link.value == 1 ? 1 : 0;
    }
    return known == 0 ? "-" : std::to_string(active) + " of " + std::to_string(known);
}

void print_report(const Report& report, std::ostream& out) {
    out << report.scope.node << ": " << count_of(report.scope.gpus.size(), "GPU") << " and "
        << count_of(report.scope.rails.size(), "rail") << " checked in " << report.took.count()
        << " ms\n";
    print_rails(report, out);
    print_gpus(report, out);
    print_findings(report, out);
    for (const std::string& note : report.readings.notes) {
        out << "note: " << note << '\n';
    }
    for (const std::string& why : report.readings.simulated) {
        out << "SIMULATED: " << why << '\n';
    }
    out << "\nVerdict: " << to_string(report.verdict) << " (" << consequence(report.verdict)
        << ")\n";
}

}  // namespace yardmaster::cli
