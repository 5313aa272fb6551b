// The best known rank order of a set of nodes, and what it costs.
#pragma once

#include <vector>

#include "topology/job_model.hpp"
#include "topology/order_cost.hpp"
#include "topology/placer_tables.hpp"
#include "topology/rank_order.hpp"

namespace yardmaster {

struct PricedOrder {
    std::vector<NodeIndex> nodes;  ///< in rank order
    OrderCost cost = 0;
};

class OrderChooser {
  public:
    /// Both must outlive it.
    OrderChooser(const PlacerTables& tables, const JobModel& job);

    /// The cheapest of a few ways to order the nodes along the tree. Depends on the set only.
    PricedOrder choose(const std::vector<NodeIndex>& nodes);
    /// What choose() gives after exchanging quanta, and nodes of one NVLink domain, as long as that
    /// helps: for comparing sets, not for ranks.
    PricedOrder choose_better(const std::vector<NodeIndex>& nodes);
    /// The cheapest of all orders of quanta for jobs of few; of somewhat more, what choose() gives
    /// after exchanging quanta as long as that helps; else what choose() gives. Where nodes of an
    /// NVLink domain differ, quanta are cut from it as exchanging its nodes finds best.
    PricedOrder choose_well(const std::vector<NodeIndex>& nodes);
    /// Whether choose_well() does more than choose().
    bool thorough() const { return permutes() || exchanges(); }
    double seconds(OrderCost cost) const { return pricer_.seconds(cost); }
    /// What `order` costs as it is.
    OrderCost price(const std::vector<NodeIndex>& order) { return pricer_.price(order); }

  private:
    std::vector<NodeIndex> along_tree(std::vector<NodeIndex> nodes) const;
    bool light_pipeline() const;
    bool permutes() const;
    bool exchanges() const;
    void consider(std::vector<NodeIndex> nodes, OrderCost margin, PricedOrder& best);
    bool uneven_domains(std::vector<NodeIndex> nodes) const;
    bool exchange(PricedOrder& order);
    bool exchange_nodes(PricedOrder& order);
    void permute(PricedOrder& order);
    void swap_quanta(std::vector<NodeIndex>& nodes, std::uint32_t a, std::uint32_t b) const;
    bool whole(const std::vector<NodeIndex>& nodes) const {
        return nodes.size() == std::size_t{job_.quanta} * job_.quantum;
    }

    const PlacerTables& tables_;
    const JobModel& job_;
    const UnitTree& choice_;
    RankOrderer orderer_;
    OrderPricer pricer_;
};

}  // namespace yardmaster
