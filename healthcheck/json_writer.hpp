// Builds jansson values without hand-kept references.
#pragma once

#include <concepts>
#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace yardmaster {

inline JsonPtr to_json(const std::string& value) {
    // Bytes that are no UTF-8 (a damaged sysfs file, say) must not lose the whole document.
    json_t* text = json_stringn(value.data(), value.size());
    return JsonPtr(text != nullptr ? text : json_string("(not UTF-8)"));
}
inline JsonPtr to_json(const char* value) {
    return to_json(std::string(value));
}
inline JsonPtr to_json(bool value) {
    return JsonPtr(json_boolean(value));
}
inline JsonPtr to_json(double value) {
    return JsonPtr(json_real(value));
}
template <std::integral Integer>
JsonPtr to_json(Integer value) {
    return JsonPtr(json_integer(static_cast<json_int_t>(value)));
}

template <typename T>
JsonPtr to_json(const std::vector<T>& values) {
    JsonPtr array(json_array());
    for (const T& value : values) {
        json_array_append_new(array.get(), to_json(value).release());
    }
    return array;
}

/// An object under construction; keys keep their order.
class JsonObject {
  public:
    JsonObject() : object_(json_object()) {}
    template <typename T>
    JsonObject& set(const std::string& key, const T& value) {
        return set(key, to_json(value));
    }
    JsonObject& set(const std::string& key, JsonPtr value) {
        json_object_set_new(object_.get(), key.c_str(), value.release());
        return *this;
    }
    JsonPtr take() { return std::move(object_); }

  private:
    JsonPtr object_;
};

/// `value` as text; `flags` as for json_dumps.
std::string dump_json(const JsonPtr& value, std::size_t flags);

}  // namespace yardmaster
