// Everything that was read on one node for one check run: with the scope, all that a verdict needs.
#pragma once

#include <string>
#include <vector>

#include "base/json_value.hpp"
#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/nccl/nccl_reading.hpp"
#include "healthcheck/port/port_reading.hpp"
#include "healthcheck/rdma/rdma_reading.hpp"

namespace yardmaster {

struct Readings {
    PortInventory inventory;
    std::vector<PortReading> ports;
    NvmlReading nvml;
    std::vector<GpuReading> gpus;
    RdmaReading rdma;
    NcclReading nccl;
    std::string boot_id;  ///< /proc/sys/kernel/random/boot_id; "" when unreadable
    /// Why these readings do not come from real hardware; empty when they do.
    std::vector<std::string> simulated;
    /// What the readers could not finish: "port reader killed after 5.2 s".
    std::vector<std::string> notes;
};

JsonValue to_json(const PortInventory& inventory);
JsonValue to_json(const PortReading& reading);
JsonValue to_json(const NvmlReading& reading);
JsonValue to_json(const GpuReading& reading);
JsonValue to_json(const Readings& readings);

/// Each reads what to_json wrote; kMalformed with the place of the first fault.
Status from_json(const JsonNode& node, PortInventory& inventory);
Status from_json(const JsonNode& node, PortReading& reading);
Status from_json(const JsonNode& node, NvmlReading& reading);
Status from_json(const JsonNode& node, GpuReading& reading);
Status from_json(const JsonNode& node, Readings& readings);

}  // namespace yardmaster
