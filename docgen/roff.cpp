#include "docgen/roff.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "docgen/text.hpp"

namespace yardmaster::docgen {
namespace {

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return text;
}

/// The length of a list mark at the start of `line` ("- ", "12. "); 0: none.
std::size_t list_mark(std::string_view line) {
    if (line.starts_with("- ")) {
        return 2;
    }
    std::size_t digits = 0;
    while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0) {
        ++digits;
    }
    return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) {
        text.remove_prefix(1);
    }
    while (text.ends_with(' ')) {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<std::string> cells_of(std::string_view row) {
    std::vector<std::string> cells(1);
    row = trimmed(row);
    row.remove_prefix(1);
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
            cells.back() += row[++i];
        } else if (row[i] == '|') {
            cells.emplace_back();
        } else {
            cells.back() += row[i];
        }
    }
    cells.pop_back();  // behind the last bar
    for (std::string& cell : cells) {
        cell = std::string(trimmed(cell));
    }
    return cells;
}

/// A line of text: one that starts with "." would be a request.
std::string text_line(const std::string& roff) {
    return (roff.starts_with('.') ? "\\&" : "") + roff + "\n";
}

/// Walks the lines of a page and writes its blocks.
class PageWriter {
  public:
    explicit PageWriter(std::string_view markdown) : lines_(lines_of(markdown)) {}

    std::string write() {
        while (at_ < lines_.size()) {
            write_block();
        }
        return std::move(out_);
    }

  private:
    const std::string& line() const { return lines_[at_]; }
    bool more() const { return at_ < lines_.size(); }

    void write_block() {
        const std::string text(trimmed(line()));
        if (text.empty() || text.starts_with("<!--") || text.starts_with("# ")) {
            ++at_;
        } else if (text.starts_with("## ")) {
            out_ += ".SH \"" + heading(upper(text.substr(3))) + "\"\n";
            ++at_;
        } else if (text.starts_with("### ")) {
            out_ += ".SS \"" + heading(text.substr(4)) + "\"\n";
            ++at_;
        } else if (text.starts_with("```")) {
            write_code();
        } else if (text.starts_with("|")) {
            write_table();
        } else if (list_mark(text) > 0) {
            write_list();
        } else {
            out_ += ".PP\n" + text_line(inline_roff(paragraph()));
        }
    }

    /// A heading holds no quotes and no fonts.
    static std::string heading(std::string text) {
        std::erase_if(text, [](char c) { return c == '`' || c == '"' || c == '*'; });
        return escape_roff(text);
    }

    bool starts_block() const {
        const auto text = trimmed(line());
        return text.empty() || text.starts_with("#") || text.starts_with("```") ||
               text.starts_with("|") || text.starts_with("<!--") || list_mark(text) > 0;
    }

    std::string paragraph() {
        std::string text(trimmed(lines_[at_++]));
        while (more() && !starts_block()) {
            text += " " + std::string(trimmed(lines_[at_++]));
        }
        return text;
    }

    void write_code() {
        const std::size_t indent = line().find('`');
        out_ += ".PP\n.RS 4\n.nf\n";
        for (++at_; more() && !trimmed(line()).starts_with("```"); ++at_) {
            const std::string& code = line();
            out_ += code.empty()
                        ? "\\&\n"
                        : text_line(escape_roff(code.substr(std::min(indent, code.size()))));
        }
        ++at_;
        out_ += ".fi\n.RE\n";
    }

    void write_table() {
        const auto head = cells_of(line());
        at_ += 2;  // the head and the line below it
        for (; more() && trimmed(line()).starts_with("|"); ++at_) {
            write_row(head, cells_of(line()));
        }
    }

    void write_row(const std::vector<std::string>& head, const std::vector<std::string>& cells) {
        out_ += ".TP\n" + text_line(inline_roff(cells.front()));
        std::string text;
        for (std::size_t i = 1; i < cells.size(); ++i) {
            if (cells[i].empty()) {
                continue;
            }
            const bool named = cells.size() > 2 && i < head.size() && i + 1 < cells.size();
            text += text.empty() ? "" : "\n.br\n";
            text += (named ? inline_roff(head[i]) + ": " : "") + inline_roff(cells[i]);
        }
        out_ += text_line(text.empty() ? "\\&" : text);
    }

    void write_list() {
        while (more() && list_mark(trimmed(line())) > 0) {
            const std::string text(trimmed(line()));
            const std::size_t mark = list_mark(text);
            const bool bullet = text.front() == '-';
            out_ += ".IP " + (bullet ? "\\(bu 2" : text.substr(0, mark - 1) + " 4") + "\n";
            lines_[at_] = text.substr(mark);
            out_ += text_line(inline_roff(paragraph()));
        }
    }

    std::vector<std::string> lines_;
    std::size_t at_ = 0;
    std::string out_;
};

}  // namespace

std::string to_man_page(const ManPage& page, std::string_view markdown) {
    std::string out = ".\\\" Written by ym-docgen from docs/; edit the text there.\n";
    out += ".TH \"" + escape_roff(upper(page.name)) + "\" " + page.section + " \"\" \"Yardmaster " +
           page.version + "\" \"Yardmaster\"\n";
    out += ".nh\n.ad l\n.SH NAME\n" + escape_roff(page.name) + " \\- " + inline_roff(page.purpose) +
           "\n";
    // Text before the first heading needs one.
    const std::string body = PageWriter(markdown).write();
    out += body.starts_with(".SH") ? "" : ".SH DESCRIPTION\n";
    return out + body;
}

}  // namespace yardmaster::docgen
