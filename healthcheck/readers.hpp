// The reader children and the lines they send to their parent.
#pragma once

#include <string>

#include "healthcheck/readings.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// Body of the port reader: sends the inventory, then every rail of the scope.
void send_ports(const CheckScope& scope, const CheckSources& sources, int fd);

/// Body of the GPU reader: sends the library's reading, then every device of the node (which is the
/// job's is known only then), then the job's again with their NVLinks, and once more with the
/// links' error counters: the most telling first, the slowest last.
void send_gpus(const CheckScope& scope, const CheckSources& sources, int fd);

/// Adds what one line of a reader says to `readings`; a later line on the same GPU replaces the
/// earlier one. kMalformed for a line that no reader writes.
Status apply_line(const std::string& line, Readings& readings);

}  // namespace yardmaster
