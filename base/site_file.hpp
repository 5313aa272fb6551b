// yardmaster.json: one file with a section for each of its readers.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/config_keys.hpp"

namespace yardmaster {

/// The sections. A reader owns one and lets the others pass, so that what is wrong in a section is
/// found by whoever knows it; a section that nobody owns is an error to every reader.
inline constexpr std::array<std::string_view, 2> kSiteSections{"health", "placement"};

/// A thousand times what a site writes; another file under that name is found before it is parsed.
inline constexpr std::size_t kSiteFileMaxBytes = 1 << 20;

/// The document in the file's text. Errors: kMalformed (too long, no JSON).
Result<JsonDocument> parse_site_document(std::string_view json);

/// What `table` describes, out of the file's text; keys that are not set leave Object's defaults.
/// `source` stands for the file in messages, `node` for "%n". Errors: kMalformed with the place.
template <typename Object>
Result<Object> parse_site_file(std::string_view json,
                               std::string_view source,
                               const ConfigTable<Object>& table,
                               const std::string& node = "") {
    const auto document = parse_site_document(json);
    if (!document) {
        return document.status().with_context(source);
    }
    Object object;
    const Status status = read_config(document->root(), table, node, object, kSiteSections);
    return status ? Result<Object>(std::move(object)) : status.with_context(source);
}

/// The file's text, read in this process: for slurmctld, which must not fork. Waits for nothing but
/// the file system: a pipe or a device is refused. Errors: kNotFound, kUnreadable, kMalformed (too
/// long).
Result<std::string> read_site_file(const std::string& file);

}  // namespace yardmaster
