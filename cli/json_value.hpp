// JSON to be printed: what --json writes is built from these.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace yardmaster::cli {

/// An owned JSON value. Members keep the order in which they were set.
class JsonValue {
  public:
    static JsonValue object() { return JsonValue(json_object()); }
    static JsonValue array() { return JsonValue(json_array()); }

    JsonValue(std::nullptr_t) : value_(json_null()) {}                         // NOLINT
    JsonValue(bool value) : value_(json_boolean(value)) {}                     // NOLINT
    JsonValue(double value) : value_(json_real(value)) {}                      // NOLINT
    JsonValue(std::string_view text);                                          // NOLINT
    JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}  // NOLINT
    JsonValue(const char* text) : JsonValue(std::string_view(text)) {}         // NOLINT
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) JsonValue(Integer value)  // NOLINT
        : value_(json_integer(static_cast<json_int_t>(value))) {}

    /// Sets a member of this object.
    JsonValue& set(const char* key, JsonValue value);
    /// Appends to this array.
    JsonValue& append(JsonValue value);
    /// The text, indented by two, without a final newline.
    std::string dump() const;

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

}  // namespace yardmaster::cli
