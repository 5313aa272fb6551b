// JSON under construction: everything that the project writes as JSON is built from these.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.hpp"

namespace yardmaster {

/// An owned JSON value. Members keep the order in which they were set.
class JsonValue {
  public:
    static JsonValue object() { return JsonValue(json_object()); }
    static JsonValue array() { return JsonValue(json_array()); }

    JsonValue(std::nullptr_t) : value_(json_null()) {}      // NOLINT
    JsonValue(bool value) : value_(json_boolean(value)) {}  // NOLINT
    /// Infinities and NaN, which JSON has no words for, become null.
    JsonValue(double value);  // NOLINT
    /// Any bytes: those that are no UTF-8, and NUL, are written as "\xE9", so that a damaged
    /// reading is kept byte by byte and the document stays valid.
    JsonValue(std::string_view text);                                          // NOLINT
    JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}  // NOLINT
    JsonValue(const char* text) : JsonValue(std::string_view(text)) {}         // NOLINT
    /// Above 2^63 an unsigned number comes out negative, with its bits kept.
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) JsonValue(Integer value)  // NOLINT
        : value_(json_integer(static_cast<json_int_t>(value))) {}

    /// Sets a member of this object.
    JsonValue& set(const char* key, JsonValue value) &;
    JsonValue&& set(const char* key, JsonValue value) && {
        return std::move(set(key, std::move(value)));
    }
    /// Appends to this array.
    JsonValue& append(JsonValue value) &;
    JsonValue&& append(JsonValue value) && { return std::move(append(std::move(value))); }

    /// The text for people and their tools: numbers with nine significant digits. `indent` blanks a
    /// level, or all in one line with 0; no final newline.
    std::string dump(unsigned indent = 2) const;
    /// The same with numbers that read back as exactly what they were.
    std::string dump_exact(unsigned indent = 0) const;

  private:
    explicit JsonValue(json_t* value) : value_(value) {}
    JsonPtr value_;
};

/// The strings (or numbers) of `items` as an array.
template <typename Items>
JsonValue json_array_of(const Items& items) {
    JsonValue array = JsonValue::array();
    for (const auto& item : items) {
        array.append(item);
    }
    return array;
}

/// What `convert` makes of each of `items`, as an array.
template <typename Items, typename Convert>
JsonValue json_array_of(const Items& items, Convert convert) {
    JsonValue array = JsonValue::array();
    for (const auto& item : items) {
        array.append(convert(item));
    }
    return array;
}

}  // namespace yardmaster
