// State that outlives one check run: one JSON file a subject in the folder `health.state_dir`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.hpp"
#include "base/json_value.hpp"

namespace yardmaster {

/// No state of ours comes near this: a node of 8 GPUs and rails keeps some 60 KiB of counters, most
/// of them of NVLinks.
inline constexpr std::size_t kMaxStateBytes = 1 << 20;

/// A subject as it was kept. State only ever makes a check sharper: a file that is damaged, foreign
/// or too large counts as absent, and the note says why.
template <typename State>
struct KeptState {
    std::optional<State> state;  ///< none: never kept, or not usable
    std::string note;            ///< why it is not usable; "" when it is, and when there is none
};

/// The document of <folder>/<subject>.json; kNotFound when there is none. Errors: as
/// read_private_file, kMalformed for what is no JSON. May block as long as the file system does.
Result<JsonDocument> read_state_document(const std::string& folder, std::string_view subject);

/// Reads <folder>/<subject>.json by `Status from_json(const JsonNode&, State&)`.
template <typename State>
KeptState<State> read_state(const std::string& folder, std::string_view subject) {
    const auto document = read_state_document(folder, subject);
    if (!document) {
        const bool absent = document.status().code() == ErrorCode::kNotFound;
        return {std::nullopt, absent ? "" : document.status().message()};
    }
    State state{};
    if (Status status = from_json(document->root(), state); !status) {
        return {std::nullopt, std::string(subject) + " state not used: " + status.message()};
    }
    return {std::move(state), ""};
}

/// Replaces <folder>/<subject>.json, whole or not at all, mode 0600, in a folder of mode 0700. Call
/// it in a child after the verdict: a full or hung disk must not hold the prolog. Errors:
/// kInvalidArgument for a subject that is no word or for more than kMaxStateBytes, kUnreadable.
Status write_state(const std::string& folder, std::string_view subject, const JsonValue& state);

}  // namespace yardmaster
