// A plain-text table: columns as wide as their widest cell, two blanks between them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace yardmaster::cli {

class Table {
  public:
    /// One heading a column; all empty: no heading line is printed.
    explicit Table(std::vector<std::string> headings);

    /// Missing cells are blank, surplus cells are dropped.
    void add(std::vector<std::string> row);
    bool empty() const { return rows_.empty(); }
    /// Every line begins with `indent` blanks; no line ends with one.
    void print(std::ostream& out, std::size_t indent = 0) const;

  private:
    std::vector<std::size_t> widths() const;
    std::vector<std::string> headings_;
    std::vector<std::vector<std::string>> rows_;
};

/// Columns that `text` takes on a terminal: its UTF-8 code points (none of ours is wide).
std::size_t display_width(std::string_view text);

}  // namespace yardmaster::cli
