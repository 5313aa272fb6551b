#include "cli/table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace yardmaster::cli {
namespace {

void print_row(std::ostream& out,
               const std::vector<std::string>& row,
               const std::vector<std::size_t>& widths,
               std::size_t indent) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < widths.size(); ++i) {
        line += row[i];
        line.append(widths[i] - display_width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

}  // namespace

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}

void Table::add(std::vector<std::string> row) {
    row.resize(headings_.size());
    rows_.push_back(std::move(row));
}

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < headings_.size(); ++i) {
        std::size_t width = display_width(headings_[i]);
        for (const auto& row : rows_) {
            width = std::max(width, display_width(row[i]));
        }
        widths.push_back(width);
    }
    return widths;
}

void Table::print(std::ostream& out, std::size_t indent) const {
    const auto columns = widths();
    const bool headed = std::any_of(
        headings_.begin(), headings_.end(), [](const auto& heading) { return !heading.empty(); });
    if (headed) {
        print_row(out, headings_, columns, indent);
    }
    for (const auto& row : rows_) {
        print_row(out, row, columns, indent);
    }
}

}  // namespace yardmaster::cli
