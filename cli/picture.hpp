// A picture of the fabric: the switch tree with one cell a node. Built once, drawn by a renderer
// (picture_text.hpp draws it for a terminal).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace yardmaster::cli {

enum class CellState : std::uint8_t {
    kChosen,    ///< this job's (or this plan's)
    kFree,      ///< usable and empty
    kPartUsed,  ///< other jobs hold a part of it
    kBusy,      ///< other jobs hold all of it
    kOut,       ///< down, drained, or not in Slurm at all
};
inline constexpr std::size_t kCellStates = 5;

/// Nodes of one unit that share an NVLink domain, ascending.
struct PictureDomain {
    std::string name;
    bool shared = false;  ///< the domain has more than one node (here or elsewhere)
    std::vector<CellState> cells;
};

/// One unit of the switch tree: either domains (a leaf group) or children.
struct PictureUnit {
    std::string name;
    std::string kind;  ///< "leaf group", "pod", ...
    std::vector<PictureDomain> domains;
    std::vector<PictureUnit> children;
    std::array<std::uint32_t, kCellStates> counts{};  ///< [CellState] nodes in the whole subtree

    std::uint32_t count(CellState state) const { return counts[static_cast<std::size_t>(state)]; }
    std::uint32_t total() const;
};

struct Picture {
    std::vector<PictureUnit> roots;  ///< in file order; nodes under no switch come last
};

/// `states` is indexed by NodeIndex, one for every node of `fabric`.
Picture make_picture(const Fabric& fabric, const std::vector<CellState>& states);

}  // namespace yardmaster::cli
