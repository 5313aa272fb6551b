#include <array>
#include <cstdint>
#include <cstdio>

#include "docgen/roff.hpp"

namespace yardmaster::docgen {
namespace {

/// The code point of the UTF-8 sequence at `at`, which moves behind it.
std::uint32_t code_point(std::string_view text, std::size_t& at) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    std::uint32_t point = more == 3 ? lead & 0x07U : more == 2 ? lead & 0x0FU : lead & 0x1FU;
    for (int i = 0; i < more && at < text.size(); ++i) {
        point = (point << 6U) | (static_cast<unsigned char>(text[at++]) & 0x3FU);
    }
    return point;
}

std::string escaped_beyond_ascii(std::string_view text, std::size_t& at) {
    std::array<char, 16> name{};
    std::snprintf(name.data(), name.size(), "\\[u%04X]", code_point(text, at));
    return name.data();
}

/// The text between `at` and the next `mark`, and `at` behind it; false when there is none.
bool take_until(std::string_view text,
                std::string_view mark,
                std::size_t& at,
                std::string_view& inside) {
    const auto end = text.find(mark, at);
    if (end == text.npos || end == at) {
        return false;
    }
    inside = text.substr(at, end - at);
    at = end + mark.size();
    return true;
}

std::string in_font(char font, const std::string& text) {
    return std::string("\\f") + font + text + "\\fR";
}

/// "[text](target)": the text, and the target where it leads out of the documentation.
bool take_link(std::string_view text, std::size_t& at, std::string& out) {
    std::size_t behind = at + 1;
    std::string_view label;
    std::string_view target;
    if (!take_until(text, "](", behind, label) || !take_until(text, ")", behind, target)) {
        return false;
    }
    out += inline_roff(label);
    out += target.starts_with("http") ? " (" + escape_roff(target) + ")" : "";
    at = behind;
    return true;
}

/// Text between a pair of `mark`s in `font`; in code nothing else is a mark.
bool take_pair(
    std::string_view text, std::string_view mark, char font, std::size_t& at, std::string& out) {
    std::size_t behind = at + mark.size();
    std::string_view inside;
    if (text.substr(at, mark.size()) != mark || !take_until(text, mark, behind, inside) ||
        (mark != "`" && (inside.starts_with(' ') || inside.ends_with(' ')))) {
        return false;  // a lone star, as in "2 * 3"
    }
    out += in_font(font, mark == "`" ? escape_roff(inside) : inline_roff(inside));
    at = behind;
    return true;
}

}  // namespace

std::string escape_roff(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (static_cast<unsigned char>(c) >= 0x80) {
            out += escaped_beyond_ascii(text, at);
            continue;
        }
        out += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : std::string(1, c);
        ++at;
    }
    return out;
}

std::string inline_roff(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if ((text[at] == '[' && take_link(text, at, out)) || take_pair(text, "`", 'B', at, out) ||
            take_pair(text, "**", 'B', at, out) || take_pair(text, "*", 'I', at, out)) {
            continue;
        }
        if (text[at] == '\\' && at + 1 < text.size()) {
            ++at;  // Markdown's own escape
        }
        std::size_t next = at + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U) {
            ++next;
        }
        out += escape_roff(text.substr(at, next - at));
        at = next;
    }
    return out;
}

}  // namespace yardmaster::docgen
