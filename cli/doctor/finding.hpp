// What doctor has to say: one finding is one thing that was looked at, good or bad.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_value.hpp"
#include "base/status.hpp"

namespace yardmaster::cli::doctor {

/// From harmless to harmful. kNotChecked: it could not be looked at, and the text says why.
enum class Severity { kOk, kNote, kNotChecked, kWarning, kError };

/// "ok", "note", "not checked", "warning" or "error", as printed and as written in JSON.
std::string_view to_string(Severity severity);

/// The value that was seen, and where: a file, "file:line", a folder, a device, "slurmctld".
struct Seen {
    std::string value;
    std::string place;
};

struct Finding {
    Severity severity = Severity::kOk;
    std::string check;  ///< a stable word for scripts: "plugin-version"
    std::string text;   ///< one sentence: what is so, and what follows from it
    Seen seen;
    std::string
        remedy;  ///< what to type or to write into which file; "" when nothing is to be done
};

/// The findings of a group of checks, in the order in which they were made.
class Findings {
  public:
    void ok(std::string check, Seen seen, std::string text);
    void note(std::string check, Seen seen, std::string text, std::string remedy = "");
    void not_checked(std::string check, Seen seen, std::string why, std::string remedy);
    void warning(std::string check, Seen seen, std::string text, std::string remedy);
    void error(std::string check, Seen seen, std::string text, std::string remedy);
    void add(Finding finding) { list_.push_back(std::move(finding)); }

    const std::vector<Finding>& list() const { return list_; }

  private:
    std::vector<Finding> list_;
};

JsonValue to_json(const Finding& finding);
/// Reads what to_json wrote; kMalformed with the place of the first fault.
Status from_json(const JsonNode& node, Finding& finding);

}  // namespace yardmaster::cli::doctor
