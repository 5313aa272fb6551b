// The score of a set of nodes, whoever chose it.
#pragma once

#include <vector>

#include "topology/job_model.hpp"
#include "topology/order_choice.hpp"
#include "topology/placer.hpp"
#include "topology/placer_tables.hpp"
#include "topology/supply.hpp"

namespace yardmaster {

/// Scores sets for one request. The arguments must outlive it.
class Scorer {
  public:
    /// `census` is that of tables.cut and of `request`.
    Scorer(const PlacerTables& tables,
           const PlacementRequest& request,
           const JobModel& job,
           const Census& census);

    /// With the best rank order that is quickly found.
    PlacementScore score(const std::vector<NodeIndex>& nodes);
    /// Corrects a score of `nodes` for a better rank order, in a part of settle_order's time.
    void improve_order(const std::vector<NodeIndex>& nodes, PlacementScore& score);
    /// Corrects a score of `nodes` for the best rank order that is known.
    void settle_order(const std::vector<NodeIndex>& nodes, PlacementScore& score);

  private:
    void count_touched(const std::vector<NodeIndex>& nodes);
    void add_cells(PlacementScore& score) const;
    std::uint32_t broken_domains() const;
    std::uint32_t split_quanta(const std::vector<NodeIndex>& nodes) const;

    const PlacerTables& tables_;
    const PlacementRequest& request_;
    const JobModel& job_;
    const Census& census_;
    OrderChooser orders_;
    std::vector<std::uint32_t> count_;    // [cell of tables.cut] nodes of the set
    std::vector<std::uint32_t> touched_;  // cells with any, in the order of the set's nodes
};

}  // namespace yardmaster
