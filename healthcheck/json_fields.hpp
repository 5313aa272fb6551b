// Reads many members of one JSON object with one error check at the end.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace yardmaster {

/// Each call reads one member into a variable. The first error is kept, and later calls do nothing.
class JsonFields {
  public:
    explicit JsonFields(JsonNode object) : object_(std::move(object)) {}

    /// For members that may be absent, as in what an earlier version wrote.
    bool has(const char* key) const { return object_.has(key); }

    void string(const char* key, std::string& value);
    void strings(const char* key, std::vector<std::string>& value);
    void boolean(const char* key, bool& value);
    void number(const char* key, double& value);
    void numbers(const char* key, std::vector<double>& value);
    /// A member that may be absent or null.
    void optional_string(const char* key, std::optional<std::string>& value);
    void optional_number(const char* key, std::optional<double>& value);
    template <typename Integer>
    void integer(const char* key, Integer& value) {
        read(key, [&](const JsonNode& node) { return take_integer(node, value); });
    }
    template <typename Integer>
    void optional_integer(const char* key, std::optional<Integer>& value) {
        if (object_.has(key)) {
            Integer number{};
            integer(key, number);
            value = number;
        }
    }
    template <typename Integer>
    void integers(const char* key, std::vector<Integer>& value) {
        list(key, value, [](const JsonNode& node, Integer& item) {
            return take_integer(node, item);
        });
    }
    /// An array of at most `most` elements that `parse(JsonNode, T&) -> Status` reads.
    template <typename T, typename Parse>
    void list(const char* key,
              std::vector<T>& value,
              Parse parse,
              std::size_t most = std::numeric_limits<std::size_t>::max()) {
        read(key, [&](const JsonNode& node) {
            auto elements = node.elements();
            if (!elements) {
                return elements.status();
            }
            if (elements->size() > most) {
                return Status(ErrorCode::kMalformed,
                              node.path() + ": has " + std::to_string(elements->size()) +
                                  " elements, must have at most " + std::to_string(most));
            }
            for (const JsonNode& element : *elements) {
                value.emplace_back();
                if (Status status = parse(element, value.back()); !status) {
                    return status;
                }
            }
            return Status::ok();
        });
    }
    /// A member that `parse(JsonNode) -> Status` reads.
    template <typename Parse>
    void read(const char* key, Parse parse) {
        if (!status_) {
            return;
        }
        auto node = object_.at(key);
        status_ = node ? parse(*node) : node.status();
    }
    /// A member that may be absent or null: older evidence lacks what newer versions read.
    template <typename Parse>
    void read_if_there(const char* key, Parse parse) {
        if (object_.has(key)) {
            read(key, parse);
        }
    }
    Status status() const { return status_; }

  private:
    template <typename Integer>
    static Status take_integer(const JsonNode& node, Integer& value) {
        using Limits = std::numeric_limits<Integer>;
        constexpr auto high = static_cast<std::int64_t>(std::min<std::uint64_t>(
            static_cast<std::uint64_t>(Limits::max()), std::numeric_limits<std::int64_t>::max()));
        auto number = node.integer(static_cast<std::int64_t>(Limits::min()), high);
        if (number) {
            value = static_cast<Integer>(*number);
        }
        return number.status();
    }

    JsonNode object_;
    Status status_;
};

}  // namespace yardmaster
