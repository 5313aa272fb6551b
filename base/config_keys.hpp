// Configuration files as tables of keys. What a table says about a key is what reads, checks and
// defaults it, and what docs/configuration.md and the man page are written from; so adding a key is
// adding one row.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace yardmaster {

/// Reads the value of one key into `object`. `node` is what "%n" in a text stands for.
template <typename Object>
using ConfigReader =
    std::function<Status(const JsonNode& value, const std::string& node, Object& object)>;

/// How a key's value is read and printed, and what it may be.
template <typename Object>
struct ConfigField {
    std::string type;    ///< "integer", "number", "true or false" or "text"
    std::string limits;  ///< "0.5 to 600", "an absolute path"; "": none
    ConfigReader<Object> read;
    std::function<std::string(const Object&)> show;  ///< the value as JSON would write it
};

/// One row of a table: all that the code and its readers know about a key.
template <typename Object>
struct ConfigKey {
    std::string_view path;  ///< from the root of the file: "health.breaker.window_s"
    ConfigField<Object> field;
    std::string_view unit;     ///< "s", "nodes"; "": none
    std::string_view since;    ///< the first version that knows the key
    std::string_view meaning;  ///< Markdown, whole sentences
    std::string_view source;   ///< where the default and the limits come from; "": no threshold
};

template <typename Object>
using ConfigTable = std::vector<ConfigKey<Object>>;

/// What is told about one key, whatever object it belongs to.
struct ConfigKeyText {
    std::string path, type, limits, unit, default_value, since, meaning, source;
};

/// What a text must be.
enum class TextRule { kAbsolutePath, kNotEmpty };

namespace config_detail {

using BoundReader = std::function<Status(const JsonNode&)>;

Result<std::string> read_text(const JsonNode& value, const std::string& node, TextRule rule);
std::string text_rule_name(TextRule rule);
std::string quoted(const std::string& text);
std::string number_text(double value);

/// Reads an object whose keys, with all that is below them, are `readers`' dotted paths.
Status read_object(const JsonNode& object,
                   const std::vector<std::pair<std::string, BoundReader>>& readers);

/// Adds readers that accept anything for those of `sections` that no reader is about.
void let_pass(std::span<const std::string_view> sections,
              std::vector<std::pair<std::string, BoundReader>>& readers);

/// The member at the end of a chain of pointers to members: at<&A::b, &B::c>(a) is a.b.c.
template <auto Member, auto... Rest, typename Object>
auto& at(Object& object) {
    if constexpr (sizeof...(Rest) == 0) {
        return object.*Member;
    } else {
        return at<Rest...>(object.*Member);
    }
}

template <typename T>
struct ObjectOf;
template <typename Object, typename Value>
struct ObjectOf<Value Object::*> {
    using Type = Object;
};

template <typename T>
inline constexpr bool kIsDuration = false;
template <typename Rep, typename Period>
inline constexpr bool kIsDuration<std::chrono::duration<Rep, Period>> = true;

/// Durations are written in seconds; one that counts finer than that may have a fraction.
template <typename Value>
constexpr bool is_whole() {
    if constexpr (kIsDuration<Value>) {
        return Value::period::den == 1;
    } else {
        return std::is_integral_v<Value>;
    }
}

template <typename Value>
Value from_number(double number) {
    if constexpr (kIsDuration<Value>) {
        return std::chrono::duration_cast<Value>(std::chrono::duration<double>(number));
    } else {
        return static_cast<Value>(number);
    }
}

template <typename Value>
double to_number(const Value& value) {
    if constexpr (kIsDuration<Value>) {
        return std::chrono::duration<double>(value).count();
    } else {
        return static_cast<double>(value);
    }
}

template <typename Value>
Result<Value> read_number(const JsonNode& node, double low, double high) {
    if constexpr (is_whole<Value>()) {
        const auto whole =
            node.integer(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
        return whole ? Result<Value>(from_number<Value>(static_cast<double>(*whole)))
                     : whole.status();
    } else {
        const auto number = node.number(low, high);
        return number ? Result<Value>(from_number<Value>(*number)) : number.status();
    }
}

}  // namespace config_detail

/// A number in [low, high]: an integer, a double or a duration in seconds, by the member's type.
/// `Members` is the way to it: number_key<&HealthPolicy::breaker, &BreakerPolicy::window>(1, 60).
template <auto First, auto... Rest>
auto number_key(double low, double high) {
    using namespace config_detail;
    using Object = typename ObjectOf<decltype(First)>::Type;
    using Value = std::remove_reference_t<decltype(at<First, Rest...>(std::declval<Object&>()))>;
    return ConfigField<Object>{
        is_whole<Value>() ? "integer" : "number",
        number_text(low) + " to " + number_text(high),
        [low, high](const JsonNode& node, const std::string&, Object& object) {
            const auto value = read_number<Value>(node, low, high);
            if (value) {
                at<First, Rest...>(object) = *value;
            }
            return value.status();
        },
        [](const Object& object) { return number_text(to_number(at<First, Rest...>(object))); }};
}

/// true or false.
template <auto First, auto... Rest>
auto flag_key() {
    using namespace config_detail;
    using Object = typename ObjectOf<decltype(First)>::Type;
    return ConfigField<Object>{
        "true or false",
        "",
        [](const JsonNode& node, const std::string&, Object& object) {
            const auto value = node.boolean();
            if (value) {
                at<First, Rest...>(object) = *value;
            }
            return value.status();
        },
        [](const Object& object) { return at<First, Rest...>(object) ? "true" : "false"; }};
}

/// A text. "%n" in it becomes the node's name; a path loses the slashes at its end.
template <auto First, auto... Rest>
auto text_key(TextRule rule) {
    using namespace config_detail;
    using Object = typename ObjectOf<decltype(First)>::Type;
    return ConfigField<Object>{
        "text",
        text_rule_name(rule),
        [rule](const JsonNode& value, const std::string& node, Object& object) {
            auto text = read_text(value, node, rule);
            if (text) {
                at<First, Rest...>(object) = std::move(text).value();
            }
            return text.status();
        },
        [](const Object& object) { return quoted(at<First, Rest...>(object)); }};
}

/// Reads the file's `root` into `object`. Every key is optional; one that is in no row of `table`
/// is an error. `sections`: keys of the root that may stand there; those without a row are somebody
/// else's and are not looked into. Errors: kMalformed with the place.
template <typename Object>
Status read_config(const JsonNode& root,
                   const ConfigTable<Object>& table,
                   const std::string& node,
                   Object& object,
                   std::span<const std::string_view> sections = {}) {
    std::vector<std::pair<std::string, config_detail::BoundReader>> readers;
    for (const ConfigKey<Object>& key : table) {
        readers.emplace_back(
            key.path, [&](const JsonNode& value) { return key.field.read(value, node, object); });
    }
    config_detail::let_pass(sections, readers);
    return config_detail::read_object(root, readers);
}

/// The rows as text; defaults are what a fresh Object holds.
template <typename Object>
std::vector<ConfigKeyText> describe_config(const ConfigTable<Object>& table) {
    std::vector<ConfigKeyText> texts;
    const Object defaults{};
    for (const ConfigKey<Object>& key : table) {
        texts.push_back({std::string(key.path),
                         key.field.type,
                         key.field.limits,
                         std::string(key.unit),
                         key.field.show(defaults),
                         std::string(key.since),
                         std::string(key.meaning),
                         std::string(key.source)});
    }
    return texts;
}

}  // namespace yardmaster
