// Every set of nodes that a job could have, for clusters so small that all can be compared.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "topology/placer_tables.hpp"
#include "topology/supply.hpp"

namespace yardmaster {

class SetFinder {
  public:
    /// `avoided` is [NodeIndex], nonzero: not to be had. All must outlive it.
    SetFinder(const PlacerTables& tables,
              const Roster& roster,
              const QuantaSupply& supply,
              const std::vector<std::uint8_t>& avoided)
        : tables_(tables), roster_(roster), supply_(supply), avoided_(avoided) {}

    /// All sets of `quanta` quanta out of `bins` that differ in cost, each as light as can be;
    /// where nodes are alike, those come first that bins give away first. None: there are more than
    /// `limit`, even if every bin gives its nodes in order.
    std::optional<std::vector<std::vector<NodeIndex>>> all(std::span<const std::uint32_t> bins,
                                                           std::uint32_t quanta,
                                                           std::uint64_t limit);

  private:
    /// What one bin can give for a number of quanta.
    struct Draw {
        std::vector<NodeIndex> certain;
        std::vector<std::vector<NodeIndex>> kinds;  ///< alike nodes; of all, `open` more are taken
        std::uint32_t open = 0;
    };

    std::vector<Draw> draws_of(std::uint32_t bin, std::uint32_t quanta, bool in_order) const;
    Draw draw(std::span<const NodeIndex> nodes, std::size_t count) const;
    std::uint64_t count(std::uint32_t quanta) const;
    static std::uint64_t ways(const Draw& draw);
    void from_bins(std::size_t bin, std::uint32_t left);
    void from_kinds(std::size_t bin,
                    const Draw& draw,
                    std::size_t kind,
                    std::uint32_t open,
                    std::uint32_t left);

    const PlacerTables& tables_;
    const Roster& roster_;
    const QuantaSupply& supply_;
    const std::vector<std::uint8_t>& avoided_;
    std::vector<std::uint32_t> bins_;
    std::vector<std::vector<Draw>> draws_;  // [place in bins_][quanta more than forced]
    std::vector<NodeIndex> chosen_;         // so far
    std::vector<std::vector<NodeIndex>> sets_;
};

}  // namespace yardmaster
