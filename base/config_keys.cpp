#include "base/config_keys.hpp"

#include <algorithm>

namespace yardmaster::config_detail {
namespace {

using Readers = std::vector<std::pair<std::string, BoundReader>>;

std::string first_part(const std::string& path) {
    return path.substr(0, path.find('.'));
}

/// The first parts of all paths, in the table's order, each once.
std::vector<std::string> keys_of(const Readers& readers) {
    std::vector<std::string> keys;
    for (const auto& [path, reader] : readers) {
        if (std::find(keys.begin(), keys.end(), first_part(path)) == keys.end()) {
            keys.push_back(first_part(path));
        }
    }
    return keys;
}

/// What is left of the paths below `key`.
Readers below(const Readers& readers, const std::string& key) {
    Readers rest;
    for (const auto& [path, reader] : readers) {
        if (path.starts_with(key + ".")) {
            rest.emplace_back(path.substr(key.size() + 1), reader);
        }
    }
    return rest;
}

Status read_member(const std::string& key, const JsonNode& member, const Readers& readers) {
    for (const auto& [path, reader] : readers) {
        if (path == key) {
            return reader(member);
        }
    }
    return read_object(member, below(readers, key));
}

}  // namespace

Status read_object(const JsonNode& object, const Readers& readers) {
    const auto members = object.members();
    if (!members) {
        return members.status();
    }
    const std::vector<std::string> known = keys_of(readers);
    if (Status status = object.only_keys({known.begin(), known.end()}); !status) {
        return status;
    }
    for (const auto& [key, member] : *members) {
        if (Status status = read_member(key, member, readers); !status) {
            return status;
        }
    }
    return Status::ok();
}

void let_pass(std::span<const std::string_view> sections, Readers& readers) {
    for (const std::string_view section : sections) {
        const bool owned = std::any_of(readers.begin(), readers.end(), [&](const auto& reader) {
            return first_part(reader.first) == section;
        });
        if (!owned) {
            readers.emplace_back(section, [](const JsonNode&) { return Status::ok(); });
        }
    }
}

Result<std::string> read_text(const JsonNode& value, const std::string& node, TextRule rule) {
    const auto read = value.string();
    if (!read) {
        return read;
    }
    std::string text = *read;
    if (text.empty() || (rule == TextRule::kAbsolutePath && text.front() != '/')) {
        return value.error("must be " + text_rule_name(rule));
    }
    for (auto at = text.find("%n"); at != std::string::npos; at = text.find("%n", at)) {
        text.replace(at, 2, node);
        at += node.size();
    }
    while (rule == TextRule::kAbsolutePath && text.size() > 1 && text.ends_with('/')) {
        text.pop_back();
    }
    return text;
}

std::string text_rule_name(TextRule rule) {
    return rule == TextRule::kAbsolutePath ? "an absolute path" : "not empty";
}

std::string quoted(const std::string& text) {
    return '"' + text + '"';
}

std::string number_text(double value) {
    std::ostringstream out;
    out.precision(12);
    out << value;
    return out.str();
}

}  // namespace yardmaster::config_detail
