#include "base/json.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace yardmaster {
namespace {

constexpr std::size_t kShownValueLength = 40;

std::string shown(const json_t* value) {
    std::unique_ptr<char, decltype(&free)> text(json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT),
                                                &free);
    std::string result = text ? text.get() : "unprintable";
    if (result.size() > kShownValueLength) {
        result = result.substr(0, kShownValueLength) + "...";
    }
    return result;
}

std::string range(double low, double high) {
    std::ostringstream out;
    out << "from " << low << " to " << high;
    return out.str();
}

}  // namespace

bool JsonNode::has(std::string_view key) const {
    return is_object() && json_object_get(value_, std::string(key).c_str()) != nullptr;
}

Status JsonNode::error(std::string_view expectation) const {
    return {ErrorCode::kMalformed,
            path_ + ": is " + shown(value_) + ", " + std::string(expectation)};
}

Result<JsonNode> JsonNode::at(std::string_view key) const {
    if (!is_object()) {
        return error("must be an object");
    }
    const json_t* member = json_object_get(value_, std::string(key).c_str());
    if (member == nullptr) {
        return Status(ErrorCode::kMalformed, path_ + ": lacks \"" + std::string(key) + "\"");
    }
    return JsonNode(member, path_ + "." + std::string(key));
}

Result<std::vector<JsonNode>> JsonNode::elements() const {
    if (!is_array()) {
        return error("must be an array");
    }
    std::vector<JsonNode> result;
    for (std::size_t i = 0; i < json_array_size(value_); ++i) {
        result.emplace_back(json_array_get(value_, i), path_ + "[" + std::to_string(i) + "]");
    }
    return result;
}

Result<std::vector<std::pair<std::string, JsonNode>>> JsonNode::members() const {
    if (!is_object()) {
        return error("must be an object");
    }
    std::vector<std::pair<std::string, JsonNode>> result;
    const char* key = nullptr;
    json_t* member = nullptr;
    // jansson's iterator wants a mutable object although it changes nothing.
    json_object_foreach(const_cast<json_t*>(value_), key, member) {
        result.emplace_back(key, JsonNode(member, path_ + "." + key));
    }
    return result;
}

Result<std::string> JsonNode::string() const {
    if (!is_string()) {
        return error("must be a string");
    }
    return std::string(json_string_value(value_), json_string_length(value_));
}

Result<std::int64_t> JsonNode::integer(std::int64_t low, std::int64_t high) const {
    const json_int_t value = json_integer_value(value_);
    if (!json_is_integer(value_) || value < low || value > high) {
        return error("must be an integer from " + std::to_string(low) + " to " +
                     std::to_string(high));
    }
    return static_cast<std::int64_t>(value);
}

Result<double> JsonNode::number(double low, double high) const {
    const double value = json_number_value(value_);
    if (!json_is_number(value_) || !std::isfinite(value) || value < low || value > high) {
        return error("must be a number " + range(low, high));
    }
    return value;
}

Result<bool> JsonNode::boolean() const {
    if (!json_is_boolean(value_)) {
        return error("must be true or false");
    }
    return json_is_true(value_);
}

Status JsonNode::only_keys(const std::vector<std::string_view>& known) const {
    auto all = members();
    if (!all) {
        return all.status();
    }
    for (const auto& [key, node] : *all) {
        if (std::find(known.begin(), known.end(), key) != known.end()) {
            continue;
        }
        std::string list;
        for (std::string_view name : known) {
            list += (list.empty() ? "" : ", ") + std::string(name);
        }
        return {ErrorCode::kMalformed, node.path() + ": unknown key; known here: " + list};
    }
    return Status::ok();
}

Result<JsonDocument> JsonDocument::parse(std::string_view text) {
    json_error_t error;
    json_t* root = json_loadb(text.data(), text.size(), JSON_REJECT_DUPLICATES, &error);
    if (root == nullptr) {
        return Status(ErrorCode::kMalformed,
                      "line " + std::to_string(error.line) + ", column " +
                          std::to_string(error.column) + ": not valid JSON: " + error.text);
    }
    return JsonDocument(JsonPtr(root));
}

Result<JsonDocument> JsonDocument::load(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        const int code = errno;
        return Status(code == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
                      file + ": " + std::strerror(code));
    }
    std::ostringstream text;
    text << in.rdbuf();
    if (in.bad() || text.fail()) {
        return Status(ErrorCode::kUnreadable, file + ": could not be read (is it a file?)");
    }
    auto document = parse(text.str());
    if (!document) {
        return document.status().with_context(file);
    }
    return document;
}

}  // namespace yardmaster
