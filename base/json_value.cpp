#include "base/json_value.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace yardmaster {
namespace {

/// Length of the UTF-8 sequence that `first` begins, by its leading bits; 0 for no such byte.
std::size_t sequence_length(unsigned char first) {
    return first < 0x80   ? 1
           : first < 0xC2 ? 0
           : first < 0xE0 ? 2
           : first < 0xF0 ? 3
           : first < 0xF5 ? 4
                          : 0;
}

/// Whether `text` is one whole character that a JSON string may hold. jansson is the judge, so that
/// what passes here is what it accepts.
bool is_character(std::string_view text) {
    return text != std::string_view("\0", 1) &&
           JsonPtr(json_stringn(text.data(), text.size())) != nullptr;
}

std::string hexadecimal(unsigned char byte) {
    std::array<char, 5> text{};
    std::snprintf(text.data(), text.size(), "\\x%02X", byte);
    return text.data();
}

std::string with_bytes_spelt_out(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = sequence_length(static_cast<unsigned char>(text.front()));
        const std::string_view character = text.substr(0, length);
        const bool whole = length > 0 && character.size() == length && is_character(character);
        result +=
            whole ? std::string(character) : hexadecimal(static_cast<unsigned char>(text.front()));
        text.remove_prefix(whole ? length : 1);
    }
    return result;
}

json_t* string_of(std::string_view text) {
    // A NUL passes jansson's writer, but its reader refuses the document.
    json_t* plain = text.find('\0') == text.npos ? json_stringn(text.data(), text.size()) : nullptr;
    if (plain != nullptr) {
        return plain;
    }
    const std::string spelt = with_bytes_spelt_out(text);
    return json_stringn(spelt.data(), spelt.size());
}

std::string dumped(const json_t* value, std::size_t flags) {
    std::unique_ptr<char, decltype(&std::free)> text(json_dumps(value, flags | JSON_ENCODE_ANY),
                                                     &std::free);
    return text ? text.get() : "null";
}

std::size_t layout(unsigned indent) {
    return indent == 0 ? JSON_COMPACT : JSON_INDENT(indent);
}

}  // namespace

JsonValue::JsonValue(double value)
    : value_(std::isfinite(value) ? json_real(value) : json_null()) {}

JsonValue::JsonValue(std::string_view text) : value_(string_of(text)) {}

JsonValue& JsonValue::set(const char* key, JsonValue value) & {
    json_object_set_new(value_.get(), key, value.value_.release());
    return *this;
}

JsonValue& JsonValue::append(JsonValue value) & {
    json_array_append_new(value_.get(), value.value_.release());
    return *this;
}

std::string JsonValue::dump(unsigned indent) const {
    return dumped(value_.get(), layout(indent) | JSON_REAL_PRECISION(9));
}

std::string JsonValue::dump_exact(unsigned indent) const {
    return dumped(value_.get(), layout(indent));
}

}  // namespace yardmaster
