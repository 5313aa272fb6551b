// The evidence bundle: what was read, what was expected and what followed, kept as JSON.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/checks.hpp"

namespace yardmaster {

/// What was done about a verdict.
struct Action {
    bool enforced = false;  ///< the node was drained, or was found drained already
    /// A word: "none", "drained", "already-drained", "report-only", "breaker", "unreachable", ...
    std::string outcome = "none";
    std::string why;     ///< one sentence when it was not enforced
    std::string reason;  ///< the drain reason as written, or as it would have been
};

/// What made us look, as Evidence::occasion says it.
inline constexpr const char* kOccasionProlog = "prolog";
inline constexpr const char* kOccasionPassive = "passive";  ///< HealthCheckProgram or Epilog
inline constexpr const char* kOccasionRecheck = "recheck";  ///< `yardmaster recheck`
inline constexpr const char* kOccasionCheck = "check";      ///< `yardmaster check`

struct Evidence {
    std::string id;                          ///< make_evidence_id
    std::string version;                     ///< of Yardmaster, "0.1.0"
    std::time_t time = 0;                    ///< of the verdict, seconds since 1970
    std::string occasion = kOccasionProlog;  ///< one of the above
    Report report;
    Action action;
};

/// "<node>-<job>-<seconds since 1970>", e.g. "yard07-1234-1700000000"; also the file's name before
/// ".json". `node` must be a valid node name.
std::string make_evidence_id(const std::string& node, std::uint32_t job, std::time_t time);

/// Whether `id` has make_evidence_id's form, and so is safe as a part of a path.
bool is_evidence_id(const std::string& id);

/// What an id says.
struct EvidenceName {
    std::string node;
    std::uint32_t job = 0;
    std::time_t time = 0;
};
/// Reads make_evidence_id's text back; none when it has not that form.
std::optional<EvidenceName> parse_evidence_id(const std::string& id);

JsonValue to_json(const Evidence& evidence);
/// kMalformed with the place of the first fault, kUnsupported for another format number.
Status from_json(const JsonNode& node, Evidence& evidence);

/// Writes <directory>/<id>.json whole or not at all (a temporary file, then rename), mode 0600; a
/// missing directory is made with mode 0700. When more than kMaxEvidenceFiles are there, the oldest
/// go. May block as long as the file system does. kUnreadable with the system's reason.
Status write_evidence(const Evidence& evidence, const std::string& directory);
inline constexpr std::size_t kMaxEvidenceFiles = 1000;

/// Reads one file back. Errors: as JsonDocument::load and from_json.
Result<Evidence> load_evidence(const std::string& file);

/// Ids of all bundles in `directory`, oldest first; kNotFound or kUnreadable when it cannot be
/// read.
Result<std::vector<std::string>> list_evidence(const std::string& directory);

}  // namespace yardmaster
