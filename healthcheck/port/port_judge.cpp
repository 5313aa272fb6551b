#include "healthcheck/port/port_judge.hpp"

#include <algorithm>
#include <cmath>

#include "healthcheck/port/address_judge.hpp"
#include "healthcheck/port/rate.hpp"

namespace yardmaster {
namespace {

// enum ib_port_state, kernel include/rdma/ib_verbs.h.
constexpr unsigned kStateDown = 1;
constexpr unsigned kStateInit = 2;
constexpr unsigned kStateArmed = 3;
constexpr unsigned kStateActive = 4;
// enum ib_port_phys_state, same file.
constexpr unsigned kPhysLinkUp = 5;
constexpr unsigned kPhysLinkErrorRecovery = 6;

// The kernel prints nominal rates (sysfs.c, rate_show; verbs.c, ib_rate_to_mbps), and any two of
// them differ by more than a tenth, so 5 % only allows for rounding in a fabric file.
constexpr double kRateTolerance = 0.05;

Finding unknown(const std::string& object, const char* sign, std::string detail) {
    return {"port", object, sign, Verdict::kUnknown, false, "", std::move(detail)};
}

Finding degraded(const std::string& object,
                 const char* sign,
                 bool certain,
                 std::string short_text,
                 std::string detail) {
    return {"port",
            object,
            sign,
            Verdict::kDegraded,
            certain,
            std::move(short_text),
            std::move(detail)};
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        text += (text.empty() ? "" : "; ") + part;
    }
    return text;
}

std::string whole_gbps(double gbps) {
    return std::to_string(std::lround(gbps));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// A rail whose device is not there is gone only if the node's other rails are there by name:
/// otherwise the fabric file may just use other names than this node.
Finding judge_absent(const ExpectedRail& rail,
                     const CheckScope& scope,
                     const PortInventory& inventory) {
    const bool names_match =
        std::any_of(scope.node_rails.begin(), scope.node_rails.end(), [&](const std::string& name) {
            return contains(inventory.devices, name);
        });
    if (!inventory.readable || !names_match) {
        return unknown(rail.device,
                       "port.presence",
                       inventory.readable
                           ? "no rail of this node has the name the fabric file gives it"
                           : "ports could not be listed: " + inventory.error);
    }
    if (contains(inventory.devices, rail.device)) {
        return unknown(rail.device,
                       "port.presence",
                       "the device is there but has no port " + std::to_string(rail.port));
    }
    return degraded(rail.device,
                    "port.presence",
                    true,
                    "missing",
                    "the RDMA device is gone while other rails of the node are there");
}

void judge_phys_state(const PortReading& reading, std::vector<Finding>& findings) {
    const auto state = parse_port_state(reading.phys_state.value_or(""));
    if (!state || state->number > 7) {
        findings.push_back(unknown(reading.device, "port.phys", "physical state is unreadable"));
    } else if (state->number == kPhysLinkErrorRecovery) {
        findings.push_back(degraded(reading.device,
                                    "port.phys",
                                    false,
                                    "recovering",
                                    "physical state is " + *reading.phys_state));
    } else if (state->number != kPhysLinkUp) {
        // An active port without a link contradicts itself, so the reading is not trusted.
        findings.push_back(
            unknown(reading.device,
                    "port.phys",
                    "port is active but its physical state is " + *reading.phys_state));
    }
}

void judge_rate(const PortReading& reading,
                const ExpectedRail& rail,
                std::vector<Finding>& findings) {
    if (!(rail.gbps > 0)) {
        return;  // nobody promised one
    }
    const auto rate = parse_port_rate(reading.rate.value_or(""));
    if (!rate) {
        findings.push_back(unknown(rail.device, "port.rate", rate.status().message()));
        return;
    }
    if (rate->gbps >= rail.gbps * (1 - kRateTolerance)) {
        return;
    }
    findings.push_back(
        degraded(rail.device,
                 "port.rate",
                 true,
                 whole_gbps(rate->gbps) + "/" + whole_gbps(rail.gbps) + "Gb",
                 "runs at " + *reading.rate + ", expected " + whole_gbps(rail.gbps) + " Gb/sec"));
}

/// Counters have no verdict without a baseline; but that they cannot be read is worth knowing.
void note_unreadable_counters(const PortReading& reading, std::vector<Finding>& findings) {
    if (reading.counters.empty()) {
        findings.push_back(unknown(reading.device, "port.counters", "the port has no counters"));
        return;
    }
    std::string list;
    for (const auto& [name, counter] : reading.counters) {
        if (!counter.value) {
            list += (list.empty() ? "" : ", ") + name + " (" + counter.text + ")";
        }
    }
    if (!list.empty()) {
        findings.push_back(unknown(reading.device, "port.counters", "unreadable: " + list));
    }
}

/// A port that is only near a GPU, and that nobody says is a rail, may be down on purpose.
void judge_inactive(const PortReading& reading,
                    const ExpectedRail& rail,
                    unsigned state,
                    std::vector<Finding>& findings) {
    const std::string detail = "port state is " + reading.state.value_or("") + ", physical state " +
                               reading.phys_state.value_or("unreadable");
    if (!(rail.gbps > 0)) {
        findings.push_back(
            unknown(reading.device,
                    "port.state",
                    detail + "; it is the NIC nearest to a GPU, but no fabric file says whether it "
                             "is a rail"));
    } else if (state == kStateDown) {
        findings.push_back(degraded(reading.device, "port.state", true, "down", detail));
    } else if (state == kStateInit || state == kStateArmed) {
        // The cable is good; a subnet manager has yet to bring the port up. That can pass by
        // itself.
        findings.push_back(degraded(reading.device, "port.state", false, "init", detail));
    } else {
        findings.push_back(unknown(reading.device, "port.state", detail));
    }
}

void judge_present(const PortReading& reading,
                   const ExpectedRail& rail,
                   std::vector<Finding>& findings) {
    const auto state = parse_port_state(reading.state.value_or(""));
    if (!state) {
        findings.push_back(unknown(
            reading.device,
            "port.state",
            reading.state ? state.status().message() : "unreadable: " + joined(reading.errors)));
        return;
    }
    if (state->number != kStateActive) {
        judge_inactive(reading, rail, state->number, findings);
    } else {
        judge_phys_state(reading, findings);
    }
    if (state->number == kStateActive && rail.gbps > 0) {  // a port that is only near needs none
        const auto address = judge_address(reading);
        findings.insert(findings.end(), address.begin(), address.end());
    }
    if (state->number != kStateDown) {
        judge_rate(reading, rail, findings);
    }
    note_unreadable_counters(reading, findings);
}

void judge_rail(const ExpectedRail& rail,
                const CheckScope& scope,
                const PortInventory& inventory,
                const std::vector<PortReading>& ports,
                std::vector<Finding>& findings) {
    const auto reading = std::find_if(ports.begin(), ports.end(), [&](const PortReading& port) {
        return port.device == rail.device && port.port == rail.port;
    });
    if (reading == ports.end()) {
        findings.push_back(unknown(rail.device, "port.outstanding", "not read in time"));
    } else if (!reading->present) {
        findings.push_back(judge_absent(rail, scope, inventory));
    } else {
        judge_present(*reading, rail, findings);
    }
}

}  // namespace

std::vector<Finding> judge_ports(const CheckScope& scope,
                                 const PortInventory& inventory,
                                 const std::vector<PortReading>& ports) {
    std::vector<Finding> findings;
    if (!scope.rails_unknown.empty()) {
        findings.push_back(unknown("", "port.scope", "rails not checked: " + scope.rails_unknown));
    }
    for (const ExpectedRail& rail : scope.rails) {
        judge_rail(rail, scope, inventory, ports, findings);
    }
    return findings;
}

}  // namespace yardmaster
