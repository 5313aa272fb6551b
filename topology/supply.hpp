// What a request can have, counted by bin: whole quanta, those that must be taken, and in which
// order a bin gives its nodes away.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "topology/link_speed.hpp"
#include "topology/placer.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

/// What stands wholly free, and how much can be had; the same for every candidate of a request.
struct Census {
    std::vector<std::uint8_t> domain_free;      ///< [DomainIndex] every node usable, none part-used
    std::vector<std::uint8_t> group_free;       ///< [cell] the same; for bins and leaf groups
    std::vector<std::uint32_t> group_usable;    ///< [cell] usable nodes; for bins and leaf groups
    std::vector<std::uint16_t> weight_classes;  ///< all that offers name, heaviest first
};
Census take_census(const Fabric& fabric,
                   const UnitTree& tree,
                   const std::vector<NodeOffer>& offers);

/// The usable nodes of every bin in the order in which they are given away: required ones, then by
/// weight class, those with full-speed rails before slower ones, those without a SoftMark before
/// those with one, part-used before fresh, by index. In bins that span leaf groups those of the
/// leaf group with most of them come before part-used.
class Roster {
  public:
    /// `cut` tells which leaf groups nodes hang in. None: rails do not matter.
    Roster(const UnitTree& tree,
           const UnitTree& cut,
           const PlacementRequest& request,
           std::uint32_t quantum,
           const RailKinds* rails);

    const UnitTree& tree() const { return tree_; }
    std::uint32_t quantum() const { return quantum_; }
    bool one_class() const { return classes_ <= 1; }
    const NodeOffer& offer(NodeIndex node) const { return offers_[raw(node)]; }
    std::span<const NodeIndex> nodes(std::uint32_t bin) const {
        return std::span(order_).subspan(first_[bin], first_[bin + 1] - first_[bin]);
    }
    /// A number that orders quanta by the weight of their nodes: the heaviest class decides.
    std::uint64_t weight_of(std::span<const NodeIndex> nodes) const;
    /// Adds the nodes that such a number stands for to `use`, [class rank], lightest first.
    void add_use(std::uint64_t weight, std::vector<std::uint32_t>& use) const;

  private:
    void rank_classes();
    void gather(const UnitTree& cut);
    std::uint32_t bucket(NodeIndex node) const;

    const UnitTree& tree_;
    const std::vector<NodeOffer>& offers_;
    const RailKinds* const rails_;
    const std::uint32_t quantum_;
    std::uint32_t classes_ = 0;
    std::vector<std::uint8_t> rank_of_;  // [weight class], lightest 0; heaviest ones may share one
    std::vector<NodeIndex> order_;
    std::vector<std::uint32_t> first_;  // [bin], one more than bins
};

/// Quanta to choose from. Numbers are quanta; every bin takes between `forced` and `capacity`.
struct QuantaSupply {
    std::vector<std::uint32_t> capacity;   ///< [bin]
    std::vector<std::uint32_t> forced;     ///< [bin] by required nodes and lighter weight classes
    std::vector<std::uint32_t> part_used;  ///< [bin] part-used nodes among those to choose from
    std::uint32_t forced_total = 0;
    /// Each leaf group was counted for a job inside it: its forced quanta are its own affair.
    bool by_leaf = false;
    /// Both NVLink domains of several nodes and nodes outside any have quanta to give. Then every
    /// one of the latter costs an edge of its own.
    bool mixed = false;
};

/// Counts what `bins` offer, nodes in `avoided` ([NodeIndex], nonzero) left out, for a job of
/// `quanta` quanta. Leaves only the lightest weight classes that suffice. kUnavailable when too
/// little is left.
Status count_supply(const Roster& roster,
                    std::span<const std::uint32_t> bins,
                    const std::vector<std::uint8_t>& avoided,
                    std::uint32_t quanta,
                    QuantaSupply& supply);

/// The same for a job inside one leaf group: every leaf group is counted alone, and only those that
/// hold the job with the lightest nodes are left.
Status count_supply_by_leaf(const Roster& roster,
                            const std::vector<std::uint8_t>& avoided,
                            std::uint32_t quanta,
                            QuantaSupply& supply);

}  // namespace yardmaster
