#include "docgen/text.hpp"

#include <sstream>

namespace yardmaster::docgen {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string in_cell(std::string_view text) {
    std::string cell;
    for (const char c : text) {
        cell += c == '|' ? "\\|" : std::string(1, c == '\n' ? ' ' : c);
    }
    return cell;
}

std::string help_as_markdown(std::string_view help) {
    std::string text;
    bool in_code = false;
    for (const std::string& line : lines_of(help)) {
        const bool indented = line.starts_with("  ");
        if (indented != in_code) {
            text += indented ? "\n```\n" : "```\n";
            in_code = indented;
        }
        text += (indented ? line.substr(2) : line) + "\n";
    }
    return text + (in_code ? "```\n" : "");
}

}  // namespace yardmaster::docgen
