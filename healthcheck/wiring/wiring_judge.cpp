#include "healthcheck/wiring/wiring_judge.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/port/port_role.hpp"

namespace yardmaster {
namespace {

const PciPlace* gpu_place(const Readings& readings, unsigned minor) {
    const GpuReading* gpu = find_gpu(readings.gpus, minor);
    return gpu == nullptr ? nullptr : find_place(readings.wiring, pci_address(gpu->pci));
}

const PciPlace* nic_place(const Readings& readings, const std::string& device) {
    const auto found = std::find_if(
        readings.identities.begin(), readings.identities.end(), [&](const PortIdentity& identity) {
            return identity.device == device;
        });
    return found == readings.identities.end() ? nullptr : find_place(readings.wiring, found->pci);
}

/// A NIC and how many bridges it shares with a GPU.
struct Near {
    const PortIdentity* nic = nullptr;
    std::size_t shared = 0;
};

/// NICs that can be rails, nearest first; equally near ones in the order of their names.
std::vector<Near> nearest(const CheckScope& scope, const Readings& readings, const PciPlace& gpu) {
    std::vector<Near> all;
    for (const PortIdentity& identity : readings.identities) {
        const PciPlace* place = find_place(readings.wiring, identity.pci);
        if (place != nullptr && can_be_rail(role_of(identity, scope.node_rails))) {
            all.push_back({&identity, shared_bridges(gpu, *place)});
        }
    }
    std::stable_sort(
        all.begin(), all.end(), [](const Near& a, const Near& b) { return a.shared > b.shared; });
    return all;
}

Finding misplaced(const CheckScope& scope,
                  unsigned gpu,
                  const std::string& expected,
                  const PciPlace& expected_place,
                  const PortIdentity& nearer) {
    const std::string number = std::to_string(gpu);
    return {"wiring",
            "GPU" + number,
            "wiring.nearest",
            Verdict::kUnknown,
            false,
            "",
            "nearest NIC is " + nearer.device + " (" + nearer.pci + "), the fabric file says " +
                expected + " (" + expected_place.address +
                "): renamed or wired otherwise? If the node is right, add {\"node\": \"" +
                scope.node + "\", \"gpu\": " + number + ", \"nic\": \"" + nearer.device +
                "\"} to \"exceptions\" of fabric.json"};
}

}  // namespace

std::size_t shared_bridges(const PciPlace& a, const PciPlace& b) {
    const std::size_t size = std::min(a.bridges.size(), b.bridges.size());
    std::size_t shared = 0;
    while (shared < size && a.bridges[shared] == b.bridges[shared]) {
        ++shared;
    }
    return shared;
}

const PciPlace* find_place(const WiringReading& wiring, const std::string& address) {
    const auto found =
        std::find_if(wiring.places.begin(), wiring.places.end(), [&](const PciPlace& place) {
            return place.address == address;
        });
    return address.empty() || found == wiring.places.end() ? nullptr : &*found;
}

std::vector<Finding> judge_wiring(const CheckScope& scope, const Readings& readings) {
    std::vector<Finding> findings;
    for (const ExpectedRail& rail : scope.rails) {
        const PciPlace* expected = nic_place(readings, rail.device);
        for (unsigned minor : rail.gpus) {
            const PciPlace* gpu = gpu_place(readings, minor);
            if (scope.mig || expected == nullptr || gpu == nullptr) {
                continue;  // that it is not there is said by the other checks
            }
            const auto nics = nearest(scope, readings, *gpu);
            if (!nics.empty() && nics.front().shared > shared_bridges(*gpu, *expected)) {
                findings.push_back(
                    misplaced(scope, minor, rail.device, *expected, *nics.front().nic));
            }
        }
    }
    return findings;
}

std::vector<ExpectedRail> near_rails(const CheckScope& scope, const Readings& readings) {
    std::vector<ExpectedRail> rails;
    for (unsigned minor : scope.gpus) {
        const PciPlace* gpu = scope.mig ? nullptr : gpu_place(readings, minor);
        const auto nics = gpu == nullptr ? std::vector<Near>() : nearest(scope, readings, *gpu);
        for (const Near& near : nics) {
            const bool known = std::any_of(rails.begin(), rails.end(), [&](const auto& rail) {
                return rail.device == near.nic->device;
            });
            if (near.shared > 0 && near.shared == nics.front().shared && !known) {
                rails.push_back({near.nic->device, 1, 0, {minor}});
            }
        }
    }
    return rails;
}

}  // namespace yardmaster
