#include "healthcheck/crossnode/cross_message.hpp"

#include <array>

#include "healthcheck/crossnode/message_json.hpp"

namespace yardmaster {
namespace {

/// In the order of CrossMessage.
constexpr std::array<std::string_view, std::variant_size_v<CrossMessage>> kNames{
    "hello", "round", "ends", "connect", "ready", "go", "done", "over"};

/// More than fit_text leaves of any text.
constexpr std::size_t kLongestText = 4096;

/// That no text in `value` is longer than may be. jansson nests no deeper than 2048.
Status check_texts(const json_t* value) {
    if (json_is_string(value) && json_string_length(value) > kLongestText) {
        return {ErrorCode::kMalformed,
                "has a text of " + std::to_string(json_string_length(value)) +
                    " bytes, must have at most " + std::to_string(kLongestText)};
    }
    const char* key = nullptr;
    std::size_t index = 0;
    json_t* member = nullptr;
    Status status;
    if (json_is_object(value)) {
        json_object_foreach(const_cast<json_t*>(value), key, member) {
            status = status ? check_texts(member) : status;
        }
    }
    json_array_foreach(value, index, member) {
        status = status ? check_texts(member) : status;
    }
    return status;
}

template <std::size_t kIndex = 0>
Result<CrossMessage> parse_body(std::string_view name, const JsonNode& body) {
    if constexpr (kIndex == kNames.size()) {
        return body.error("is of no known kind");
    } else {
        if (name != kNames[kIndex]) {
            return parse_body<kIndex + 1>(name, body);
        }
        std::variant_alternative_t<kIndex, CrossMessage> message;
        Status status = from_json(body, message);
        return status ? Result<CrossMessage>(std::move(message)) : Result<CrossMessage>(status);
    }
}

}  // namespace

std::string_view name_of(const CrossMessage& message) {
    return kNames[message.index()];
}

std::string to_text(const CrossMessage& message) {
    return std::visit(
        [&](const auto& body) {
            return JsonValue::object()
                .set(kNames[message.index()].data(), to_json(body))
                .dump_exact();
        },
        message);
}

Result<CrossMessage> parse_cross_message(const std::string& text) {
    const auto document = JsonDocument::parse(text);
    const auto members =
        document ? document->root().members()
                 : Result<std::vector<std::pair<std::string, JsonNode>>>(document.status());
    if (!members) {
        return members.status();
    }
    if (members->size() != 1) {
        return Status(ErrorCode::kMalformed, "a message must have one member: its kind");
    }
    const auto& [name, body] = members->front();
    if (Status status = check_texts(body.raw()); !status) {
        return status.with_context(name);
    }
    return parse_body(name, body);
}

}  // namespace yardmaster
