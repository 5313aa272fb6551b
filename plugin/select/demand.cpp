#include "plugin/select/demand.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

std::uint32_t ceil_div(std::uint64_t dividend, std::uint64_t divisor) {
    return static_cast<std::uint32_t>((dividend + divisor - 1) /
                                      std::max<std::uint64_t>(1, divisor));
}

bool asks_for_gpus(const ym_job_info& info) {
    return info.gpus_per_node + info.gpus_per_job + info.gpus_per_task + info.gpus_per_socket > 0;
}

/// Nodes that a job without a fixed number of nodes will probably need.
std::uint32_t estimate_nodes(const ym_job_test& test,
                             const ym_job_info& info,
                             std::uint32_t node_gpus,
                             std::uint32_t node_cpus) {
    std::uint64_t gpus = info.gpus_per_job;
    gpus = std::max<std::uint64_t>(gpus, std::uint64_t{info.gpus_per_task} * info.num_tasks);
    const std::uint64_t cpus = std::uint64_t{info.num_tasks} * info.cpus_per_task;
    const std::uint32_t estimate = std::max(
        {test.min_nodes, gpus > 0 ? ceil_div(gpus, node_gpus) : 0, ceil_div(cpus, node_cpus)});
    return std::min(estimate, std::max(test.max_nodes, test.min_nodes));
}

bool takes_gpus_by_index(const ym_job_info& info) {
    return info.gpu_kinds == 1 && info.gpus_per_socket == 0 && !info.whole_node;
}

std::uint32_t average_gpus(const ym_job_info& info, std::uint32_t nodes) {
    if (info.gpus_per_node > 0) {
        return info.gpus_per_node;
    }
    const std::uint64_t by_task = std::uint64_t{info.gpus_per_task} * info.num_tasks;
    const std::uint64_t total = std::max<std::uint64_t>(info.gpus_per_job, by_task);
    return std::max(ceil_div(total, nodes), info.gpus_per_socket);
}

/// Unless the number is given per node, stock may deal GPUs unevenly over the nodes.
std::uint32_t least_gpus(const ym_job_info& info, bool one_node) {
    if (info.gpus_per_node > 0) {
        return info.gpus_per_node;
    }
    if (one_node && info.gpus_per_job > 0) {
        return info.gpus_per_job;
    }
    return asks_for_gpus(info) ? std::max({1U, info.gpus_per_task, info.gpus_per_socket}) : 0;
}

}  // namespace

Demand read_demand(const ym_job_test& test,
                   const ym_job_info& info,
                   const Hints& hints,
                   std::uint32_t node_gpus,
                   std::uint32_t node_cpus) {
    Demand demand;
    demand.hints = hints;
    demand.nodes_fixed = test.min_nodes == test.max_nodes;
    if (demand.nodes_fixed) {
        demand.nodes = test.min_nodes;
    } else if (test.req_nodes > test.min_nodes) {
        demand.nodes = test.req_nodes;  // -N2-8: as many as there are, up to the upper end
    } else {
        demand.nodes = estimate_nodes(test, info, node_gpus, node_cpus);
    }
    demand.nodes = std::max(demand.nodes, 1U);
    demand.gpus_per_node = average_gpus(info, demand.nodes);
    demand.least_gpus = least_gpus(info, demand.nodes_fixed && demand.nodes == 1);
    demand.least_cpus = info.cpus_per_task;
    demand.shares_cpus = info.may_share;
    demand.whole_node = info.whole_node;
    demand.gpu_type = info.gpu_type;
    demand.enforce_binding = info.enforce_binding;
    demand.maskable = takes_gpus_by_index(info);
    const JobSize size = size_of(test, info);
    if (info.gpus_per_node > 0 || demand.nodes_fixed) {
        demand.indices = info.gpus_per_socket > 0 ? 0 : even_gpus(size, demand.nodes);
    }
    const bool even_by_tasks = info.gpus_per_task > 0 && info.tasks_per_node > 0;
    const bool one_node = demand.nodes_fixed && demand.nodes == 1;
    demand.even_by_hiding =
        info.gpus_per_node == 0 && !even_by_tasks && !one_node && !info.whole_node;
    return demand;
}

JobSize size_of(const ym_job_test& test, const ym_job_info& info) {
    JobSize size;
    size.min_nodes = test.min_nodes;
    size.max_nodes = std::max(test.min_nodes, test.max_nodes);
    size.as_many_as_possible = test.req_nodes > test.min_nodes;
    if (size.as_many_as_possible) {
        size.max_nodes = test.req_nodes;
    }
    size.gpus_per_node = info.gpus_per_node;
    size.gpus = info.gpus_per_job;
    size.gpus_per_task = info.gpus_per_task;
    size.tasks = info.num_tasks;
    size.tasks_per_node = info.tasks_per_node;
    return size;
}

Demand fixed_at(const Demand& demand, const JobShape& shape) {
    Demand fixed = demand;
    fixed.nodes = shape.nodes;
    fixed.nodes_fixed = true;
    fixed.gpus_per_node = shape.gpus_per_node;
    fixed.least_gpus = shape.gpus_per_node;
    if (!demand.whole_node) {
        fixed.indices = shape.gpus_per_node;
    }
    return fixed;
}

bool belongs_to_stock(const ym_job_test& test, const ym_job_info& info, const Hints& hints) {
    if (info.job_id == 0 || !info.has_details || test.min_nodes == 0 || info.feature_counts) {
        return true;
    }
    const bool stocks_own_order =
        info.contiguous || info.spread || info.may_share || ym_conf_least_loaded();
    return stocks_own_order && !hints.hard();
}

}  // namespace yardmaster
