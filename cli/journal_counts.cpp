#include "cli/journal_counts.hpp"

#include <algorithm>
#include <set>

namespace yardmaster::cli {
namespace {

void add(const JournalEntry& entry, IncidentCount& count) {
    ++count.incidents;
    count.drains += entry.action == "drained" ? 1 : 0;
    count.last = std::max(count.last, entry.time);
}

/// What `key_of` makes of each object, "" left out.
template <typename KeyOf>
void add_objects(const JournalEntry& entry, IncidentCounts& counts, KeyOf key_of) {
    std::set<std::string> keys;
    for (const JournalObject& object : entry.objects) {
        keys.insert(key_of(object));
    }
    keys.erase("");
    for (const std::string& key : keys) {
        add(entry, counts[key]);
    }
}

void add_incident(const JournalEntry& entry, JournalCounts& counts) {
    counts.first = counts.all.incidents == 0 ? entry.time : std::min(counts.first, entry.time);
    add(entry, counts.all);
    add(entry, counts.by_node[entry.node]);
    add_objects(entry, counts.by_cause, [](const JournalObject& o) { return o.sign; });
    add_objects(entry, counts.by_object, [&](const JournalObject& o) {
        return o.object.empty() ? "" : entry.node + " " + o.object;
    });
    add_objects(entry, counts.by_rail, [](const JournalObject& o) {
        return o.rail ? std::to_string(*o.rail) : "";
    });
    add_objects(entry, counts.by_firmware, [](const JournalObject& o) { return o.firmware; });
    add_objects(entry, counts.by_driver, [&](const JournalObject& o) {
        return o.object.starts_with("GPU") ? entry.driver : "";
    });
}

}  // namespace

JournalCounts count_incidents(const std::vector<JournalEntry>& entries) {
    JournalCounts counts;
    for (const JournalEntry& entry : entries) {
        counts.simulated = counts.simulated || entry.simulated;
        if (entry.occasion == kOccasionResume) {
            ++counts.resumes;
        } else if (entry.occasion == kOccasionRecheck) {
            ++counts.rechecks;
            counts.rechecks_healthy += entry.verdict == Verdict::kHealthy ? 1 : 0;
        } else if (entry.verdict != Verdict::kHealthy) {
            add_incident(entry, counts);
        }
    }
    return counts;
}

}  // namespace yardmaster::cli
