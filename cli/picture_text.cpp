#include "cli/picture_text.hpp"

#include <algorithm>
#include <utility>

#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

struct Glyphs {
    std::array<const char*, kCellStates> cells;  ///< [CellState]
    const char* branch;
    const char* last;
    const char* down;
};
constexpr Glyphs kAscii{{"#", ".", "+", "o", "x"}, "|- ", "`- ", "|  "};
constexpr Glyphs kUnicode{{"■", "·", "◧", "□", "×"}, "├─ ", "└─ ", "│  "};
constexpr std::array<const char*, kCellStates> kMeanings{
    "this job", "free", "part-used", "busy", "out of service"};

struct Row {
    std::string label;
    std::string cells;
    std::string note;
};

class TextRenderer {
  public:
    TextRenderer(const Picture& picture, const PictureStyle& style)
        : style_(style), glyphs_(style.unicode ? kUnicode : kAscii) {
        std::size_t leaves = 0;
        for (const PictureUnit& root : picture.roots) {
            leaves += leaf_count(root);
        }
        fold_ = leaves > style.max_leaf_rows;
        for (const PictureUnit& root : picture.roots) {
            add_unit(root, "", "");
        }
    }

    void print(std::ostream& out) const {
        std::size_t label = 0;
        std::size_t cells = 0;
        for (const Row& row : rows_) {
            // A unit with children has no cells and may stick out.
            label = std::max(label, row.cells.empty() ? 0 : display_width(row.label));
            cells = std::max(cells, display_width(row.cells));
        }
        for (const Row& row : rows_) {
            std::string line = padded(row.label, label) + "  " + padded(row.cells, cells);
            line += row.note.empty() ? "" : "  " + row.note;
            out << line.erase(line.find_last_not_of(' ') + 1) << '\n';
        }
    }

  private:
    static std::string padded(std::string text, std::size_t width) {
        const std::size_t has = display_width(text);
        return has < width ? text.append(width - has, ' ') : text;
    }

    static std::size_t leaf_count(const PictureUnit& unit) {
        std::size_t count = unit.domains.empty() ? 0 : 1;
        for (const PictureUnit& child : unit.children) {
            count += leaf_count(child);
        }
        return count;
    }

    bool folded(const PictureUnit& unit) const {
        return fold_ && unit.count(CellState::kChosen) == 0;
    }

    void add_unit(const PictureUnit& unit, const std::string& first, const std::string& rest) {
        const std::uint32_t chosen = unit.count(CellState::kChosen);
        Row row{first + unit.name, "", ""};
        if (chosen > 0) {
            row.note = std::to_string(chosen) + " of " + count_of(unit.total(), "node");
        }
        if (folded(unit)) {
            row.label += "  (" + summary({&unit}) + ")";
        } else {
            add_cells(unit, row, rest);
        }
        rows_.push_back(std::move(row));
        append_pending();
        if (!folded(unit)) {
            add_children(unit, rest);
        }
    }

    void add_children(const PictureUnit& unit, const std::string& prefix) {
        std::vector<const PictureUnit*> shown;
        std::vector<const PictureUnit*> hidden;
        for (const PictureUnit& child : unit.children) {
            (folded(child) ? hidden : shown).push_back(&child);
        }
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const bool last = i + 1 == shown.size() && hidden.empty();
            add_unit(*shown[i],
                     prefix + (last ? glyphs_.last : glyphs_.branch),
                     prefix + (last ? "   " : glyphs_.down));
        }
        if (!hidden.empty()) {
            const std::string label =
                prefix + glyphs_.last + "(" + count_of(hidden.size(), "more " + hidden[0]->kind);
            rows_.push_back({label + ": " + summary(hidden) + ")", "", ""});
        }
    }

    /// The cells of a leaf group; what is more than one line waits for the row to be pushed.
    void add_cells(const PictureUnit& unit, Row& row, const std::string& rest) {
        std::string line;
        std::size_t width = 0;
        std::vector<std::string> lines;
        for (const PictureDomain& domain : unit.domains) {
            line += domain.shared ? "[" : "";
            for (CellState cell : domain.cells) {
                if (width == style_.cells_per_line) {
                    lines.push_back(std::exchange(line, ""));
                    width = 0;
                }
                line += glyphs_.cells[static_cast<std::size_t>(cell)];
                ++width;
            }
            line += domain.shared ? "]" : "";
        }
        lines.push_back(line);
        row.cells = lines.front();
        for (std::size_t i = 1; i < lines.size(); ++i) {
            pending_.push_back({rest, lines[i], ""});
        }
    }

    void append_pending() {
        std::move(pending_.begin(), pending_.end(), std::back_inserter(rows_));
        pending_.clear();
    }

    static std::string summary(const std::vector<const PictureUnit*>& units) {
        std::vector<std::string> parts;
        for (std::size_t state = 0; state < kCellStates; ++state) {
            std::uint32_t count = 0;
            for (const PictureUnit* unit : units) {
                count += unit->counts[state];
            }
            if (count > 0) {
                parts.push_back(std::to_string(count) + " " + kMeanings[state]);
            }
        }
        return parts.empty() ? "no nodes" : join(parts);
    }

    const PictureStyle& style_;
    const Glyphs& glyphs_;
    bool fold_ = false;
    std::vector<Row> rows_;
    std::vector<Row> pending_;
};

bool any_shared(const std::vector<PictureUnit>& units) {
    return std::any_of(units.begin(), units.end(), [](const PictureUnit& unit) {
        return any_shared(unit.children) ||
               std::any_of(unit.domains.begin(),
                           unit.domains.end(),
                           [](const PictureDomain& domain) { return domain.shared; });
    });
}

void draw_legend(const Picture& picture, const Glyphs& glyphs, std::ostream& out) {
    std::vector<std::string> parts;
    for (std::size_t state = 0; state < kCellStates; ++state) {
        const bool occurs =
            std::any_of(picture.roots.begin(), picture.roots.end(), [&](const PictureUnit& root) {
                return root.counts[state] > 0;
            });
        if (occurs) {
            parts.push_back(std::string(glyphs.cells[state]) + " " + kMeanings[state]);
        }
    }
    out << "one mark a node: " << join(parts)
        << (any_shared(picture.roots) ? "; [ ] one NVLink domain of several nodes\n" : "\n");
}

}  // namespace

void draw_text(const Picture& picture, const PictureStyle& style, std::ostream& out) {
    TextRenderer(picture, style).print(out);
    draw_legend(picture, style.unicode ? kUnicode : kAscii, out);
}

}  // namespace yardmaster::cli
