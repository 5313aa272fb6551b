#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

/// Stores `result` in `value` when there is one.
template <typename T>
Status take(Result<T> result, T& value) {
    if (result) {
        value = std::move(result).value();
        return Status::ok();
    }
    return result.status();
}

}  // namespace

void JsonFields::string(const char* key, std::string& value) {
    read(key, [&](const JsonNode& node) { return take(node.string(), value); });
}

void JsonFields::strings(const char* key, std::vector<std::string>& value) {
    list(key, value, [](const JsonNode& node, std::string& item) {
        return take(node.string(), item);
    });
}

void JsonFields::boolean(const char* key, bool& value) {
    read(key, [&](const JsonNode& node) { return take(node.boolean(), value); });
}

void JsonFields::number(const char* key, double& value) {
    read(key, [&](const JsonNode& node) { return take(node.number(-1e18, 1e18), value); });
}

void JsonFields::numbers(const char* key, std::vector<double>& value) {
    list(key, value, [](const JsonNode& node, double& item) {
        return take(node.number(-1e18, 1e18), item);
    });
}

void JsonFields::optional_string(const char* key, std::optional<std::string>& value) {
    if (object_.has(key)) {
        std::string text;
        string(key, text);
        value = std::move(text);
    }
}

void JsonFields::optional_number(const char* key, std::optional<double>& value) {
    if (object_.has(key)) {
        double parsed = 0;
        number(key, parsed);
        value = parsed;
    }
}

}  // namespace yardmaster
