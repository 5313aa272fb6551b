// A thin, owning view of a jansson document whose every access knows its place, so that errors
// read "fabric.json: $.node_types.h100.gpus: is \"eight\", must be an integer from 1 to 64".
#pragma once

#include <jansson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// Owns one reference to a jansson value.
struct JsonDeleter {
    void operator()(json_t* value) const { json_decref(value); }
};
using JsonPtr = std::unique_ptr<json_t, JsonDeleter>;

/// A value inside a document, with its path. Borrowed: valid while the document lives.
class JsonNode {
  public:
    JsonNode(const json_t* value, std::string path) : value_(value), path_(std::move(path)) {}

    /// Where this value stands, in JSONPath style: "$.switches[2].name".
    const std::string& path() const { return path_; }
    const json_t* raw() const { return value_; }
    bool is_object() const { return json_is_object(value_); }
    bool is_array() const { return json_is_array(value_); }
    bool is_string() const { return json_is_string(value_); }
    bool has(std::string_view key) const;

    /// The member `key` of this object; kMalformed when this is no object or has no such member.
    Result<JsonNode> at(std::string_view key) const;
    /// The elements of this array, in order.
    Result<std::vector<JsonNode>> elements() const;
    /// The members of this object, in the order of the file.
    Result<std::vector<std::pair<std::string, JsonNode>>> members() const;
    Result<std::string> string() const;
    /// An integer in [low, high].
    Result<std::int64_t> integer(std::int64_t low, std::int64_t high) const;
    /// A finite number in [low, high].
    Result<double> number(double low, double high) const;
    Result<bool> boolean() const;
    /// kMalformed naming the first member whose key is not in `known` (a misspelt key is an error,
    /// never a silently ignored wish).
    Status only_keys(const std::vector<std::string_view>& known) const;
    /// A kMalformed error at this place: "<path>: is <value>, <expectation>".
    Status error(std::string_view expectation) const;

  private:
    const json_t* value_;
    std::string path_;
};

/// A parsed document. Duplicate keys are an error.
class JsonDocument {
  public:
    /// Reads and parses `file`. Errors: kNotFound, kUnreadable, kMalformed (with line and column).
    static Result<JsonDocument> load(const std::string& file);
    static Result<JsonDocument> parse(std::string_view text);
    JsonNode root() const { return {root_.get(), "$"}; }

  private:
    explicit JsonDocument(JsonPtr root) : root_(std::move(root)) {}
    JsonPtr root_;
};

}  // namespace yardmaster
