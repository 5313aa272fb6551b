#include "plugin/select/supply.hpp"

#include <algorithm>
#include <exception>

namespace yardmaster {
namespace {

bool gone_by(const ym_holding& holding, const Moment& moment) {
    switch (moment.kind) {
        case Moment::Kind::kNow:
            return false;
        case Moment::Kind::kPreempting:
            return holding.preemptable;
        case Moment::Kind::kAt:
            return holding.preemptable || holding.end_time <= moment.time;
        case Moment::Kind::kEver:
            return true;
    }
    return false;
}

}  // namespace

Supply::Supply(const ym_job_test& test)
    : nodes_(nodes_of(test.bitmap)),
      required_(required_nodes_of(test.job)),
      table_(static_cast<std::size_t>(ym_node_count())) {
    read_nodes(test.mode);
    if (test.mode != YM_MODE_TEST_ONLY) {  // which asks about an empty cluster
        read_holdings(test.preemptees);
    }
}

void Supply::read_nodes(std::uint16_t mode) {
    for (const std::int32_t i : nodes_) {
        Node& node = table_[static_cast<std::size_t>(i)];
        node.candidate = true;
        ym_node_gpus(i, &node.gpus, &node.free_gpus);
        node.cpus = ym_node_cpus(i);
        node.weight = ym_node_sched_weight(i, mode);
        most_gpus_ = std::max(most_gpus_, node.gpus);
        most_cpus_ = std::max(most_cpus_, node.cpus);
    }
}

void Supply::read_holdings(ym_list* preemptees) {
    struct Walk {
        Supply* self;
        std::exception_ptr
            error;  // must not leave through Slurm's list_for_each, which holds a lock
    } walk{this, nullptr};
    const auto keep = [](const ym_holding* holding, void* arg) {
        auto& [self, error] = *static_cast<Walk*>(arg);
        const auto i = static_cast<std::size_t>(holding->node);
        if (error || i >= self->table_.size() || !self->table_[i].candidate) {
            return;
        }
        try {
            self->holdings_.push_back(*holding);
            self->table_[i].used_cpus += holding->cpus;
        } catch (...) {
            error = std::current_exception();
        }
    };
    ym_for_each_holding(preemptees, keep, &walk);
    if (walk.error) {
        std::rethrow_exception(walk.error);
    }
}

bool Supply::serves(const Node& node, const Demand& demand) const {
    if (demand.whole_node && (node.free_gpus < node.gpus || node.used_cpus > 0)) {
        return false;
    }
    if (demand.all_gpus && node.gpus != demand.gpus_per_node) {
        return false;
    }
    // Slurm counts CPUs it will not hand out (specialised cores); used can pass the configured.
    const std::uint32_t free_cpus = node.cpus > node.used_cpus ? node.cpus - node.used_cpus : 0;
    return node.free_gpus >= demand.least_gpus && free_cpus >= demand.least_cpus;
}

NodeSet Supply::usable(const Demand& demand, const Moment& moment) const {
    std::vector<Node> table = table_;
    for (const ym_holding& holding : holdings_) {
        if (gone_by(holding, moment)) {
            Node& node = table[static_cast<std::size_t>(holding.node)];
            node.free_gpus = std::min(node.gpus, node.free_gpus + holding.gpus);
            node.used_cpus -= std::min(node.used_cpus, holding.cpus);
        }
    }
    NodeSet result;
    result.reserve(nodes_.size());
    for (const std::int32_t i : nodes_) {
        Node& node = table[static_cast<std::size_t>(i)];
        if (moment.kind == Moment::Kind::kEver) {
            node.free_gpus = node.gpus;  // also what no job accounts for
            node.used_cpus = 0;
        }
        if (serves(node, demand)) {
            result.push_back(i);
        }
    }
    return result;
}

bool Supply::part_used(std::int32_t node) const {
    const Node& found = table_[static_cast<std::size_t>(node)];
    return found.used_cpus > 0 || found.free_gpus < found.gpus;
}

std::vector<std::time_t> Supply::end_times() const {
    std::vector<std::time_t> result;
    result.reserve(holdings_.size());
    for (const ym_holding& holding : holdings_) {
        result.push_back(holding.end_time);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

}  // namespace yardmaster
