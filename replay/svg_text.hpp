// The few SVG elements that a picture of schedules needs, as text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace yardmaster {

/// Pixels from the top left corner.
struct SvgBox {
    double x = 0, y = 0, width = 0, height = 0;
};

/// Safe inside elements and attributes: markup escaped, what is not printable ASCII a '?'.
std::string svg_escape(std::string_view text);

/// "#rrggbb": distinct for neighbouring numbers, light enough for black text.
std::string svg_color(std::size_t number);

/// `attributes` are added as they are: ` stroke="red"`. A non-empty `title` shows when pointed at.
std::string svg_rect(const SvgBox& box,
                     std::string_view fill,
                     std::string_view attributes = "",
                     std::string_view title = "");
std::string svg_line(double x1, double y1, double x2, double y2, std::string_view attributes);
/// `y` is the base line.
std::string svg_text(double x, double y, std::string_view text, std::string_view attributes = "");

}  // namespace yardmaster
