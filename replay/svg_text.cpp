#include "replay/svg_text.hpp"

#include <cmath>
#include <cstdio>

namespace yardmaster {
namespace {

/// At most two decimals, no locale.
std::string px(double value) {
    const auto hundredths = static_cast<std::int64_t>(std::llround(value * 100));
    std::string text = std::to_string(hundredths / 100);
    if (hundredths % 100 != 0) {
        const std::string rest = std::to_string(hundredths % 100);
        text += (rest.size() < 2 ? ".0" : ".") + rest;
    }
    return text;
}

std::string attribute(std::string_view name, double value) {
    return " " + std::string(name) + "=\"" + px(value) + "\"";
}

}  // namespace

std::string svg_escape(std::string_view text) {
    std::string result;
    for (char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c >= ' ' && c <= '~' ? c : '?';
        }
    }
    return result;
}

std::string svg_color(std::size_t number) {
    // Steps of the golden angle never come near an old hue soon.
    const double hue = std::fmod(static_cast<double>(number) * 137.508, 360);
    const auto channel = [hue](double offset) {
        const double k = std::fmod(offset + hue / 30, 12);
        const double factor = std::fmax(-1, std::fmin(std::fmin(k - 3, 9 - k), 1));
        return static_cast<unsigned>(std::lround(255 * (0.66 - 0.22 * factor)));
    };
    std::array<char, 8> buffer{};
    std::snprintf(
        buffer.data(), buffer.size(), "#%02x%02x%02x", channel(0), channel(8), channel(4));
    return buffer.data();
}

std::string svg_rect(const SvgBox& box,
                     std::string_view fill,
                     std::string_view attributes,
                     std::string_view title) {
    std::string text = "<rect" + attribute("x", box.x) + attribute("y", box.y) +
                       attribute("width", box.width) + attribute("height", box.height) +
                       " fill=\"" + std::string(fill) + "\"" + std::string(attributes);
    return title.empty() ? text + "/>\n"
                         : text + "><title>" + svg_escape(title) + "</title></rect>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view attributes) {
    return "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
           attribute("y2", y2) + std::string(attributes) + "/>\n";
}

std::string svg_text(double x, double y, std::string_view text, std::string_view attributes) {
    return "<text" + attribute("x", x) + attribute("y", y) + std::string(attributes) + ">" +
           svg_escape(text) + "</text>\n";
}

}  // namespace yardmaster
