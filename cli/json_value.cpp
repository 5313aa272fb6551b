#include "cli/json_value.hpp"

#include <cstdlib>
#include <utility>

namespace yardmaster::cli {

JsonValue::JsonValue(std::string_view text) : value_(json_stringn(text.data(), text.size())) {
    if (!value_) {
        // Not UTF-8, which jansson refuses. A damaged reason or comment must still be shown.
        std::string ascii(text);
        for (char& c : ascii) {
            c = static_cast<unsigned char>(c) < 0x80 ? c : '?';
        }
        value_.reset(json_stringn(ascii.data(), ascii.size()));
    }
}

JsonValue& JsonValue::set(const char* key, JsonValue value) {
    json_object_set_new(value_.get(), key, value.value_.release());
    return *this;
}

JsonValue& JsonValue::append(JsonValue value) {
    json_array_append_new(value_.get(), value.value_.release());
    return *this;
}

std::string JsonValue::dump() const {
    std::unique_ptr<char, decltype(&std::free)> text(
        json_dumps(value_.get(), JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)),
        &std::free);
    return text ? text.get() : "null";
}

}  // namespace yardmaster::cli
