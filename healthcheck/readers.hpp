// The reader children and the lines they send to their parent.
#pragma once

#include <string>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// Body of the port reader: sends the inventory, then every rail of the scope; where the rails are
/// to be found by nearness, port 1 of every device that is no virtual function.
void send_ports(const CheckScope& scope, const CheckSources& sources, int fd);

/// Body of the GPU reader: sends the library's reading, then every device of the node (which is the
/// job's is known only then), then the job's again with their NVLinks, and once more with the
/// links' error counters: the most telling first, the slowest last.
void send_gpus(const CheckScope& scope, const CheckSources& sources, int fd);

/// Body of the PCIe reader: sends every GPU of the node and the NIC of every rail of the scope.
void send_pcie(const CheckScope& scope, const CheckSources& sources, int fd);

/// Body of the wiring reader: sends what tells every RDMA device's role, then the PCIe tree.
void send_wiring(const CheckSources& sources, int fd);

/// Body of the state reader: sends the kept counters and passes, or notes that they are not usable.
void send_state(const CheckSources& sources, int fd);

/// Adds what one line of a reader says to `readings`; a later line on the same GPU replaces the
/// earlier one. kMalformed for a line that no reader writes.
Status apply_line(const std::string& line, Readings& readings);

}  // namespace yardmaster
