#include "cli/evidence_objects.hpp"

#include <algorithm>

#include "cli/check_text.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

std::string findings_on(const Report& report, const std::string& object) {
    std::vector<std::string> signs;
    for (const Finding& finding : report.findings) {
        if (finding.object == object) {
            signs.push_back(finding.sign + (finding.certain ? ", certain" : ""));
        }
    }
    return signs.empty() ? "as expected" : join(signs, "; ");
}

/// "PCIe x16 of x16"; nothing for a device whose link was not read.
void add_pcie(const PciReading* device, std::vector<std::string>& words) {
    if (device == nullptr || device->path.empty()) {
        return;
    }
    const PciLink& link = device->path.front();
    if (link.current_width && link.max_width) {
        words.push_back("PCIe x" + std::to_string(*link.current_width) + " of x" +
                        std::to_string(*link.max_width));
    }
}

template <typename Wanted>
const PciReading* find_pci(const Readings& readings, Wanted wanted) {
    const auto found = std::find_if(readings.pci.begin(), readings.pci.end(), wanted);
    return found == readings.pci.end() ? nullptr : &*found;
}

std::string read_of_port(const Readings& readings, const ExpectedRail& rail) {
    std::vector<std::string> words;
    for (const PortReading& port : readings.ports) {
        if (port.device == rail.device && port.port == rail.port && port.present) {
            for (const auto& text : {port.state, port.phys_state, port.rate, port.link_layer}) {
                words.push_back(text.value_or("unreadable"));
            }
        }
    }
    if (words.empty()) {
        words.push_back(readings.inventory.readable ? "absent" : "not read");
    }
    add_pcie(find_pci(readings, [&](const PciReading& pci) { return pci.device == rail.device; }),
             words);
    return join(words);
}

ObjectStory tell_rail(const Report& report, const ExpectedRail& rail) {
    const std::string name = rail.device + (rail.port == 1 ? "" : ":" + std::to_string(rail.port));
    const std::string expected = rail.gbps > 0 ? number(rail.gbps) + " Gb/s" : "";
    return {name, expected, read_of_port(report.readings, rail), findings_on(report, rail.device)};
}

std::string read_of_gpu(const Readings& readings, unsigned minor) {
    const auto gpu =
        std::find_if(readings.gpus.begin(), readings.gpus.end(), [&](const GpuReading& reading) {
            return reading.minor.ok() && reading.minor.value == minor;
        });
    if (gpu == readings.gpus.end()) {
        return readings.nvml.loaded ? "not listed" : "not read: " + readings.nvml.error;
    }
    std::vector<std::string> words{gpu->model.empty() ? "lost" : gpu->model};
    if (const std::string links = nvlinks_text(*gpu); links != "-") {
        words.push_back(links + " NVLinks");
    }
    if (gpu->ecc_uncorrected.ok()) {
        words.push_back(std::to_string(gpu->ecc_uncorrected.value) + " ECC errors");
    }
    const std::string address = pci_address(gpu->pci);
    add_pcie(find_pci(readings, [&](const PciReading& pci) { return pci.address == address; }),
             words);
    return join(words);
}

}  // namespace

std::vector<ObjectStory> object_stories(const Report& report) {
    std::vector<ObjectStory> stories;
    for (const ExpectedRail& rail : report.scope.rails) {
        stories.push_back(tell_rail(report, rail));
    }
    for (const unsigned minor : report.scope.gpus) {
        const std::string name = "GPU" + std::to_string(minor);
        stories.push_back({name,
                           "present",
                           report.scope.mig ? "MIG" : read_of_gpu(report.readings, minor),
                           findings_on(report, name)});
    }
    for (const Finding& finding : report.findings) {
        const std::string name = finding.object.empty() ? "node" : finding.object;
        const bool told = std::any_of(
            stories.begin(), stories.end(), [&](const ObjectStory& s) { return s.object == name; });
        if (!told) {
            stories.push_back({name, "", "see below", findings_on(report, finding.object)});
        }
    }
    return stories;
}

}  // namespace yardmaster::cli
