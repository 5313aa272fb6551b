// Incidents counted by what they have in common.
#pragma once

#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "prolog/journal.hpp"

namespace yardmaster::cli {

/// How often something was seen.
struct IncidentCount {
    unsigned incidents = 0;
    unsigned drains = 0;   ///< of these, that drained the node
    std::time_t last = 0;  ///< the latest of them
};

using IncidentCounts = std::map<std::string, IncidentCount>;

/// An incident is an entry about a verdict that was not healthy; a re-check is none, whatever it
/// found. In each table an entry counts once for a key, however often it names it.
struct JournalCounts {
    IncidentCount all;
    std::time_t first = 0;  ///< of the incidents
    unsigned rechecks = 0;
    unsigned rechecks_healthy = 0;
    unsigned resumes = 0;
    bool simulated = false;   ///< any entry was on simulated hardware
    IncidentCounts by_cause;  ///< sign: "port.rate"
    IncidentCounts by_node;
    IncidentCounts by_object;    ///< "yard04 mlx5_3"
    IncidentCounts by_rail;      ///< "3"
    IncidentCounts by_firmware;  ///< a NIC's: "28.39.1002"
    IncidentCounts by_driver;    ///< NVIDIA's, of incidents on GPUs
};

JournalCounts count_incidents(const std::vector<JournalEntry>& entries);

}  // namespace yardmaster::cli
