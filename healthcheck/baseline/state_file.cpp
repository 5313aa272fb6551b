#include "healthcheck/baseline/state_file.hpp"

#include <algorithm>

#include "healthcheck/private_file.hpp"

namespace yardmaster {
namespace {

constexpr std::string_view kSuffix = ".json";

Status check_subject(std::string_view subject) {
    const bool word = !subject.empty() && std::all_of(subject.begin(), subject.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    return word ? Status::ok()
                : Status(ErrorCode::kInvalidArgument,
                         "state subject \"" + std::string(subject) +
                             "\" must be a word of lower-case letters, digits and _");
}

}  // namespace

Result<JsonDocument> read_state_document(const std::string& folder, std::string_view subject) {
    if (Status status = check_subject(subject); !status) {
        return status;
    }
    const std::string file = folder + "/" + std::string(subject) + std::string(kSuffix);
    const auto text = read_private_file(file, kMaxStateBytes);
    if (!text) {
        return text.status();
    }
    auto document = JsonDocument::parse(*text);
    return document ? std::move(document) : document.status().with_context(file);
}

Status write_state(const std::string& folder, std::string_view subject, const JsonValue& state) {
    if (Status status = check_subject(subject); !status) {
        return status;
    }
    const std::string text = state.dump_exact(1) + "\n";
    if (text.size() > kMaxStateBytes) {
        return {ErrorCode::kInvalidArgument,
                folder + ": state of " + std::string(subject) + " is " +
                    std::to_string(text.size()) + " bytes, limit " +
                    std::to_string(kMaxStateBytes)};
    }
    return write_private_file(folder, std::string(subject) + std::string(kSuffix), text);
}

}  // namespace yardmaster
