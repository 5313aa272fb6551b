#include "plugin/select/supply.hpp"

#include <algorithm>
#include <exception>
#include <map>

namespace yardmaster {
namespace {

bool gone_by(const ym_holding& holding, const Moment& moment) {
    switch (moment.kind) {
        case Moment::Kind::kPreempting:
            return holding.preemptable;
        case Moment::Kind::kAt:
            return holding.preemptable || holding.end_time <= moment.time;
        case Moment::Kind::kNow:
        case Moment::Kind::kEver:
            break;
    }
    return false;
}

bool serves(const NodeCount& count, std::uint32_t used_cpus, const Demand& demand) {
    if (demand.shares_cpus) {
        used_cpus = 0;
    }
    if (demand.whole_node && (count.free_gpus < count.gpus || used_cpus > 0)) {
        return false;
    }
    // Slurm counts CPUs it will not hand out (specialised cores); used can pass the configured.
    const std::uint32_t free_cpus = count.cpus > used_cpus ? count.cpus - used_cpus : 0;
    return count.free_gpus >= demand.least_gpus && free_cpus >= demand.least_cpus;
}

}  // namespace

Supply::Supply(const ym_job_test& test, NodeCounts& counts)
    : nodes_(nodes_of(test.bitmap)), required_(required_nodes_of(test.job)), counts_(counts) {
    table_.nodes.resize(static_cast<std::size_t>(ym_node_count()));
    only_now_ = test.mode == YM_MODE_RUN_NOW && test.preemptees == nullptr;
    read_nodes(test.mode, counts);
    if (test.mode != YM_MODE_TEST_ONLY) {  // which asks about an empty cluster
        read_holdings(test.bitmap, test.preemptees);
    }
}

void Supply::read_nodes(std::uint16_t mode, NodeCounts& counts) {
    const std::vector<NodeCount>& read = counts.read(nodes_, NodeCounts::Clock::now());
    const std::time_t now = std::time(nullptr);
    for (const std::int32_t i : nodes_) {
        Node& node = table_.nodes[static_cast<std::size_t>(i)];
        node.count = read[static_cast<std::size_t>(i)];
        node.soft_degraded = node.count.soft_until > now;
        node.weight = ym_node_sched_weight(i, mode);
        most_gpus_ = std::max(most_gpus_, node.count.gpus);
        most_cpus_ = std::max(most_cpus_, node.count.cpus);
    }
}

void Supply::read_holdings(const ym_bitmap* offered, ym_list* preemptees) {
    struct Walk {
        Supply* self;
        std::exception_ptr
            error;  // must not leave through Slurm's list_for_each, which holds a lock
    } walk{this, nullptr};
    const auto keep = [](const ym_holding* holding, void* arg) {
        auto& [self, error] = *static_cast<Walk*>(arg);
        const auto i = static_cast<std::size_t>(holding->node);
        if (error || i >= self->table_.nodes.size()) {
            return;
        }
        try {
            if (!self->only_now_) {
                self->holdings_.push_back(*holding);
            }
            self->table_.nodes[i].used_cpus += holding->cpus;
        } catch (...) {
            error = std::current_exception();
        }
    };
    ym_for_each_holding(offered, preemptees, !only_now_, keep, &walk);
    if (walk.error) {
        std::rethrow_exception(walk.error);
    }
}

void Supply::read_gpu_masks(const Demand& demand, bool only_so) {
    table_.masks.assign(table_.nodes.size(), {});
    for (const std::int32_t i : nodes_) {
        const NodeCount& count = node_at(i).count;
        const bool too_few = only_now_ && count.free_gpus < demand.least_gpus;
        if (only_so && (too_few || demand.takes_all_of(count.gpus))) {
            continue;  // of no use, or used without a look at indices
        }
        table_.masks[static_cast<std::size_t>(i)] = counts_.masks(i, demand.gpu_type);
    }
}

std::uint32_t Supply::gpus_of_alike(std::uint32_t gpus, std::uint32_t nodes) const {
    std::map<std::uint32_t, std::uint32_t> count;
    for (const std::int32_t i : nodes_) {
        ++count[node_at(i).count.gpus];
    }
    const auto found = std::find_if(count.begin(), count.end(), [&](const auto& entry) {
        return entry.first >= gpus && entry.second >= nodes;
    });
    return found == count.end() ? 0 : found->first;
}

/// What a job takes by index. A node whose every GPU it takes needs no indices told.
GpuMask Supply::offered(const NodeCount& count, const NodeMasks& masks, const Demand& demand) {
    if (demand.takes_all_of(count.gpus)) {
        return count.free_gpus == count.gpus ? lowest_gpus(count.gpus) : 0;
    }
    return demand.maskable && masks.indices ? masks.free : 0;
}

FreeNodes Supply::usable_in(const Table& table, const Demand& demand) const {
    FreeNodes result;
    result.gpus.resize(table.masks.size());
    for (const std::int32_t i : nodes_) {
        const auto at = static_cast<std::size_t>(i);
        const Node& node = table.nodes[at];
        if (!serves(node.count, node.used_cpus, demand)) {
            continue;
        }
        result.nodes.push_back(i);
        if (!table.masks.empty()) {
            result.gpus[at] = offered(node.count, table.masks[at], demand);
        }
    }
    return result;
}

void Supply::release(const ym_holding& holding, Table& table) {
    const auto at = static_cast<std::size_t>(holding.node);
    Node& node = table.nodes[at];
    node.count.free_gpus = std::min(node.count.gpus, node.count.free_gpus + holding.gpus);
    node.used_cpus -= std::min(node.used_cpus, holding.cpus);
    if (!table.masks.empty()) {
        table.masks[at].free |= holding.gpu_mask & table.masks[at].fit;
    }
}

Supply::Table Supply::table_at(const Moment& moment) const {
    Table table = table_;
    for (const ym_holding& holding : holdings_) {
        if (gone_by(holding, moment)) {
            release(holding, table);
        }
    }
    if (moment.kind == Moment::Kind::kAt) {
        for (NodeMasks& masks : table.masks) {
            masks.free |= masks.shared;  // we do not see when shards end; stock looks itself
        }
    }
    if (moment.kind == Moment::Kind::kEver) {
        for (Node& node : table.nodes) {
            node.count.free_gpus = node.count.gpus;  // also what no job accounts for
            node.used_cpus = 0;
        }
        for (NodeMasks& masks : table.masks) {
            masks.free = masks.fit;
        }
    }
    return table;
}

FreeNodes Supply::usable(const Demand& demand, const Moment& moment) const {
    return moment.kind == Moment::Kind::kNow ? usable_in(table_, demand)
                                             : usable_in(table_at(moment), demand);
}

bool Supply::part_used(std::int32_t node) const {
    const Node& found = node_at(node);
    return found.used_cpus > 0 || found.count.free_gpus < found.count.gpus;
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
