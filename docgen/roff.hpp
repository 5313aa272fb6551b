// Manual pages from the Markdown that docs/ is written in.
#pragma once

#include <string>
#include <string_view>

namespace yardmaster::docgen {

struct ManPage {
    std::string name;     ///< "yardmaster.json"
    std::string section;  ///< "5"
    std::string purpose;  ///< for the NAME line: "what ... is"
    std::string version;
};

/// `markdown` as a man(7) page. Its "# title" is left out; "## " becomes .SH, "### " becomes .SS;
/// a table becomes a list, tagged with its first column. Known: paragraphs, "- " and "1. " lists,
/// fenced code, tables, `code`, **bold**, *italic*, [text](link), HTML comments (left out). The
/// result depends on the arguments alone: no date.
std::string to_man_page(const ManPage& page, std::string_view markdown);

/// The inline marks of one line or paragraph as roff.
std::string inline_roff(std::string_view markdown);

/// `text` with what roff would take for its own escaped, except for a "." at the start of a line;
/// characters beyond ASCII by their numbers.
std::string escape_roff(std::string_view text);

}  // namespace yardmaster::docgen
