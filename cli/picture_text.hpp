// Draws a Picture for a terminal:
//
//   core
//   |- pod1
//   |  |- leaf1  ####....  4 of 8 nodes
//   |  `- leaf2  oooooooo
//   `- pod2  (12 leaf groups: 96 free)
#pragma once

#include <ostream>

#include "cli/picture.hpp"

namespace yardmaster::cli {

struct PictureStyle {
    bool unicode = false;
    /// With more leaf groups than this, those that hold nothing of this job are summed up.
    std::size_t max_leaf_rows = 24;
    std::size_t cells_per_line = 64;
};

/// The tree, then one line that explains the cells that occur.
void draw_text(const Picture& picture, const PictureStyle& style, std::ostream& out);

}  // namespace yardmaster::cli
