// Draws schedules: nodes from top to bottom in the order of the tree, time from left to right.
#pragma once

#include <string>

#include "replay/comparison.hpp"

namespace yardmaster {

/// A whole SVG document (SVG 1.1; no scripts, no style sheets, no references): one panel a policy,
/// all with one time scale; a rectangle for a job on neighbouring nodes, in the same colour in
/// every panel, outlined in red where its TP groups are split between NVLink domains. Part-used
/// nodes show a job by its share of the GPUs. Names outside printable ASCII are written with '?'.
std::string draw_svg(const Fabric& fabric, const Comparison& comparison);

}  // namespace yardmaster
