// Small pieces of Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yardmaster::docgen {

std::vector<std::string> lines_of(std::string_view text);

/// `text` inside a table's cell: "|" escaped, on one line.
std::string in_cell(std::string_view text);

/// The text of --help as Markdown: paragraphs stay; "Examples:" and "Exit codes:", with the
/// indented lines below them, become a line and a code block.
std::string help_as_markdown(std::string_view help);

}  // namespace yardmaster::docgen
