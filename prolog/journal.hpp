// The node's incident journal: one JSON line for everything that was not "healthy, job starts".
// Evidence says what was read and is dropped when there is too much; the journal stays for
// counting.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/evidence.hpp"

namespace yardmaster {

/// One object of an incident.
struct JournalObject {
    std::string object;            ///< Finding::object
    std::string sign;              ///< Finding::sign
    std::optional<unsigned> rail;  ///< its place among the node's rails, from 0; none: no rail
    std::string firmware;          ///< of a NIC, sysfs fw_ver; "" when unreadable or no NIC
    bool operator==(const JournalObject&) const = default;
};

struct JournalEntry {
    std::time_t time = 0;  ///< seconds since 1970, by the node's clock
    std::string node;
    std::uint32_t job = 0;  ///< 0: no job
    std::string occasion;   ///< Evidence::occasion, or kOccasionResume
    Verdict verdict = Verdict::kUnknown;
    std::string action;  ///< Action::outcome, or "resumed"
    std::string why;     ///< Action::why
    std::string cause;   ///< cause_of the first object's finding; "" when nothing was found
    std::string driver;  ///< NVIDIA's; "" when unreadable
    std::string evidence_id;
    bool simulated = false;
    /// What was found, the primary finding first; at most kMaxJournalObjects.
    std::vector<JournalObject> objects;
    bool operator==(const JournalEntry&) const = default;
};

inline constexpr const char* kOccasionResume = "resume";
inline constexpr std::size_t kMaxJournalObjects = 32;
/// Some ten thousand incidents, twice: more than a node that is worth keeping has.
inline constexpr std::size_t kMaxJournalBytes = 4 << 20;

/// The entry of a run, with firmware as `sysfs_root` tells it now. Reads sysfs: call it in a child.
JournalEntry journal_entry(const Evidence& evidence, const std::string& sysfs_root);

JsonValue to_json(const JournalEntry& entry);
/// kMalformed with the place of the first fault.
Status from_json(const JsonNode& node, JournalEntry& entry);

/// Appends one line, whole or not at all, under a lock; the file is made with mode 0600, its folder
/// with 0700. A file that would grow above `limit` bytes is renamed to "<file>.1" first. May block
/// as long as the file system does. kUnreadable with the system's reason.
Status append_journal(const JournalEntry& entry,
                      const std::string& file,
                      std::size_t limit = kMaxJournalBytes);

struct Journal {
    std::vector<JournalEntry> entries;  ///< in the file's order
    std::vector<std::string> faults;    ///< lines that are no entry: "journal.jsonl:7: ..."
};

/// Reads one file. kNotFound, kUnreadable.
Result<Journal> read_journal(const std::string& file);

}  // namespace yardmaster
