#include "cli/picture.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

class PictureBuilder {
  public:
    PictureBuilder(const Fabric& fabric, const std::vector<CellState>& states)
        : fabric_(fabric), states_(states) {}

    PictureUnit unit(UnitIndex index) const {
        const SwitchUnit& source = fabric_.unit(index);
        PictureUnit picture = leaf(source.name, source.nodes);
        picture.kind = tier_name(source.tier);
        for (UnitIndex child : source.children) {
            picture.children.push_back(unit(child));
            add_counts(picture, picture.children.back());
        }
        return picture;
    }

    /// Nodes that hang on one switch (or on none), grouped by NVLink domain.
    PictureUnit leaf(std::string name, std::vector<NodeIndex> nodes) const {
        std::stable_sort(nodes.begin(), nodes.end(), [this](NodeIndex a, NodeIndex b) {
            return std::tuple(fabric_.node(a).domain, a) < std::tuple(fabric_.node(b).domain, b);
        });
        PictureUnit picture;
        picture.name = std::move(name);
        std::optional<DomainIndex> last;
        for (NodeIndex node : nodes) {
            const DomainIndex domain = fabric_.node(node).domain;
            if (last != domain) {
                open_domain(picture, fabric_.domain(domain));
                last = domain;
            }
            const CellState state = states_[raw(node)];
            picture.domains.back().cells.push_back(state);
            ++picture.counts[static_cast<std::size_t>(state)];
        }
        return picture;
    }

  private:
    static void open_domain(PictureUnit& picture, const NvlinkDomain& domain) {
        picture.domains.push_back({domain.name, domain.nodes.size() > 1, {}});
    }

    static void add_counts(PictureUnit& parent, const PictureUnit& child) {
        for (std::size_t i = 0; i < kCellStates; ++i) {
            parent.counts[i] += child.counts[i];
        }
    }

    const Fabric& fabric_;
    const std::vector<CellState>& states_;
};

std::vector<NodeIndex> nodes_without_switch(const Fabric& fabric) {
    std::vector<NodeIndex> nodes;
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        if (!fabric.nodes()[i].leaf) {
            nodes.push_back(NodeIndex(i));
        }
    }
    return nodes;
}

}  // namespace

std::uint32_t PictureUnit::total() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
}

Picture make_picture(const Fabric& fabric, const std::vector<CellState>& states) {
    const PictureBuilder builder(fabric, states);
    Picture picture;
    for (std::size_t i = 0; i < fabric.units().size(); ++i) {
        if (!fabric.units()[i].parent) {
            picture.roots.push_back(builder.unit(UnitIndex(i)));
        }
    }
    const auto loose = nodes_without_switch(fabric);
    if (!loose.empty()) {
        picture.roots.push_back(builder.leaf("(no switch)", loose));
        picture.roots.back().kind = "nodes under no switch";
    }
    return picture;
}

}  // namespace yardmaster::cli
