// Everything that was read on one node for one check run: with the scope, all that a verdict needs.
#pragma once

#include <string>
#include <vector>

#include "base/json_value.hpp"
#include "healthcheck/baseline/counter_baseline.hpp"
#include "healthcheck/baseline/proven.hpp"
#include "healthcheck/crossnode/cross_reading.hpp"
#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/nccl/nccl_reading.hpp"
#include "healthcheck/pcie/pcie_reading.hpp"
#include "healthcheck/port/port_reading.hpp"
#include "healthcheck/port/port_role.hpp"
#include "healthcheck/rdma/rdma_reading.hpp"
#include "healthcheck/wiring/wiring_reading.hpp"

namespace yardmaster {

/// What was read again, a moment after the first reading: objects with a sign that may pass.
struct SecondLook {
    std::vector<PortReading> ports;
    std::vector<GpuReading> gpus;
};

struct Readings {
    PortInventory inventory;
    std::vector<PortReading> ports;
    NvmlReading nvml;
    std::vector<GpuReading> gpus;
    std::vector<PortIdentity> identities;  ///< every RDMA device of the node
    std::vector<PciReading> pci;  ///< every GPU of the node, and the NICs of the job's rails
    WiringReading wiring;
    CounterBaseline baseline;  ///< as kept before this check; without a boot id: none
    SecondLook second_look;
    RdmaReading rdma;
    NcclReading nccl;
    CrossReading crossnode;
    double uptime_s = 0;  ///< CLOCK_BOOTTIME when reading began
    std::string boot_id;  ///< /proc/sys/kernel/random/boot_id; "" when unreadable
    /// Why these readings do not come from real hardware; empty when they do.
    std::vector<std::string> simulated;
    /// What the readers could not finish: "port reader killed after 5.2 s".
    std::vector<std::string> notes;
    /// Readers that had no end, by name: what they had not told by then is unknown.
    std::vector<std::string> unfinished;
    /// Passes of active checks as kept before this one. No verdict depends on them and the evidence
    /// leaves them out: where one stood for a run, the check's not_run says so.
    ProvenState proven;
};

JsonValue to_json(const PortInventory& inventory);
JsonValue to_json(const PortReading& reading);
JsonValue to_json(const NvmlReading& reading);
JsonValue to_json(const GpuReading& reading);
JsonValue to_json(const GidReading& gid);
JsonValue to_json(const PortIdentity& identity);
JsonValue to_json(const PciReading& reading);
JsonValue to_json(const WiringReading& reading);
JsonValue to_json(const Readings& readings);

/// Each reads what to_json wrote; kMalformed with the place of the first fault.
Status from_json(const JsonNode& node, PortInventory& inventory);
Status from_json(const JsonNode& node, PortReading& reading);
Status from_json(const JsonNode& node, NvmlReading& reading);
Status from_json(const JsonNode& node, GpuReading& reading);
Status from_json(const JsonNode& node, GidReading& gid);
Status from_json(const JsonNode& node, PortIdentity& identity);
Status from_json(const JsonNode& node, PciReading& reading);
Status from_json(const JsonNode& node, WiringReading& reading);
Status from_json(const JsonNode& node, Readings& readings);

}  // namespace yardmaster
