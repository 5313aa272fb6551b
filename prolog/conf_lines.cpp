#include "prolog/conf_lines.hpp"

#include <algorithm>
#include <cctype>

namespace yardmaster {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(kBlanks);
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Cuts at the first '#' that no odd number of backslashes escapes.
std::string_view without_comment(std::string_view line) {
    std::size_t backslashes = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '#' && backslashes % 2 == 0) {
            return line.substr(0, i);
        }
        backslashes = line[i] == '\\' ? backslashes + 1 : 0;
    }
    return line;
}

/// Takes the backslash at the end away that joins this line with the next; false: there is none.
bool take_continuation(std::string_view& line) {
    const std::string_view text = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    const std::size_t last_other = text.find_last_not_of('\\');
    const std::size_t backslashes = text.size() - (last_other == text.npos ? 0 : last_other + 1);
    if (backslashes % 2 == 0) {
        return false;
    }
    line = text.substr(0, text.size() - 1);
    return true;
}

std::string without_escapes(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        i += text[i] == '\\' ? 1 : 0;
        if (i < text.size()) {
            result += text[i];
        }
    }
    return result;
}

bool is_key_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

void skip_blanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// Takes "key" and "=" (or Slurm's "+=", "-=", "*=", "/=") off the front of `text`; "": no pair.
std::string take_key(std::string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_key_character);
    std::string key(text.begin(), end);
    std::string_view after = text.substr(key.size());
    skip_blanks(after);
    if (!after.empty() && std::string_view("-*+/").find(after.front()) != std::string_view::npos) {
        after.remove_prefix(1);
    }
    if (key.empty() || after.empty() || after.front() != '=') {
        return "";
    }
    text = after.substr(1);
    skip_blanks(text);
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return key;
}

/// Takes a quoted or a blank-free value; false when there is none.
bool take_value(std::string_view& text, std::string& value) {
    const bool quoted = text.starts_with('"') && text.find('"', 1) != text.npos;
    const std::size_t end =
        quoted ? text.find('"', 1) + 1 : std::min(text.find_first_of(kBlanks), text.size());
    value = quoted ? text.substr(1, end - 2) : text.substr(0, end);
    text.remove_prefix(end);
    return quoted || end > 0;
}

}  // namespace

std::vector<ConfLine> conf_lines(std::string_view file_content) {
    std::vector<ConfLine> lines;
    unsigned number = 0;
    bool joined = false;
    while (!file_content.empty()) {
        const std::size_t end = file_content.find('\n');
        std::string_view line = without_comment(file_content.substr(0, end));
        file_content.remove_prefix(end == file_content.npos ? file_content.size() : end + 1);
        ++number;
        if (!joined) {
            lines.push_back({number, ""});
        }
        joined = take_continuation(line);
        lines.back().text += line;
    }
    for (ConfLine& line : lines) {
        line.text = trimmed(without_escapes(line.text));
    }
    std::erase_if(lines, [](const ConfLine& line) { return line.text.empty(); });
    return lines;
}

ConfPairs conf_pairs(std::string_view line) {
    ConfPairs result;
    for (skip_blanks(line); !line.empty(); skip_blanks(line)) {
        const std::string_view begin = line;
        std::string value;
        std::string key = take_key(line);
        if (key.empty() || !take_value(line, value)) {
            result.rest = begin;
            break;
        }
        result.pairs.emplace_back(std::move(key), std::move(value));
    }
    return result;
}

}  // namespace yardmaster
