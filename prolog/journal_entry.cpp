#include <algorithm>

#include "healthcheck/reason.hpp"
#include "healthcheck/small_file.hpp"
#include "prolog/journal.hpp"

namespace yardmaster {
namespace {

std::optional<unsigned> rail_number(const CheckScope& scope, const std::string& device) {
    const auto& rails = scope.node_rails;
    const auto found = std::find(rails.begin(), rails.end(), device);
    return found == rails.end() ? std::nullopt
                                : std::optional(static_cast<unsigned>(found - rails.begin()));
}

/// Only names that the kernel listed become a part of a path.
bool is_nic(const Readings& readings, const std::string& object) {
    const auto& devices = readings.inventory.devices;
    return std::find(devices.begin(), devices.end(), object) != devices.end();
}

JournalObject describe(const Finding& finding,
                       const Report& report,
                       const std::string& sysfs_root) {
    JournalObject object{
        finding.object, finding.sign, rail_number(report.scope, finding.object), ""};
    if (is_nic(report.readings, finding.object)) {
        const auto version =
            read_small_file(sysfs_root + "/class/infiniband/" + finding.object + "/fw_ver");
        object.firmware = version ? *version : "";
    }
    return object;
}

}  // namespace

JournalEntry journal_entry(const Evidence& evidence, const std::string& sysfs_root) {
    const Report& report = evidence.report;
    JournalEntry entry;
    entry.time = evidence.time;
    entry.node = report.scope.node;
    entry.job = report.scope.job;
    entry.occasion = evidence.occasion;
    entry.verdict = report.verdict;
    entry.action = evidence.action.outcome;
    entry.why = evidence.action.why;
    entry.driver = report.readings.nvml.driver;
    entry.evidence_id = evidence.id;
    entry.simulated = !report.readings.simulated.empty();
    const Finding* first = primary(report.findings);
    if (first == nullptr) {
        return entry;
    }
    entry.cause = cause_of(*first);
    entry.objects.push_back(describe(*first, report, sysfs_root));
    for (const Finding& finding : report.findings) {
        if (&finding != first && entry.objects.size() < kMaxJournalObjects) {
            entry.objects.push_back(describe(finding, report, sysfs_root));
        }
    }
    return entry;
}

}  // namespace yardmaster
