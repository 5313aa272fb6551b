#include "plugin/common/job_size.hpp"

#include <algorithm>
#include <string>

namespace yardmaster {
namespace {

constexpr std::size_t kMostShapes = 8;      // of those tried from the fewest nodes up
constexpr std::uint32_t kEveryNumber = 32;  // of a range, from its upper end; then halves

std::uint32_t total_gpus(const JobSize& size) {
    const std::uint64_t by_task = std::uint64_t{size.gpus_per_task} * size.tasks;
    return std::max(size.gpus,
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(by_task, 1U << 30)));
}

std::uint32_t ceil_div(std::uint32_t dividend, std::uint32_t divisor) {
    return divisor == 0 ? 0 : (dividend + divisor - 1) / divisor;
}

std::uint32_t most_gpus(const Fabric& fabric) {
    std::uint32_t most = 1;
    for (const NodeType& type : fabric.types()) {
        most = std::max<std::uint32_t>(most, type.gpus);
    }
    return most;
}

/// Numbers of nodes from `upper` down to `lower` that hold whole quanta.
std::vector<std::uint32_t> downwards(std::uint32_t upper,
                                     std::uint32_t lower,
                                     std::uint32_t quantum) {
    std::vector<std::uint32_t> numbers;
    std::uint32_t nodes = upper - upper % quantum;
    while (nodes >= std::max(lower, 1U)) {
        numbers.push_back(nodes);
        const std::uint32_t next = numbers.size() < kEveryNumber ? nodes - quantum : nodes / 2;
        nodes = next - next % quantum;
    }
    const std::uint32_t least = ceil_div(std::max(lower, 1U), quantum) * quantum;
    if (!numbers.empty() && numbers.back() > least) {
        numbers.push_back(least);
    }
    return numbers;
}

/// Numbers of nodes to try when the GPUs on each are known.
std::vector<std::uint32_t> numbers_by_node(const JobSize& size,
                                           const Hints& hints,
                                           const Fabric& fabric) {
    const auto all = static_cast<std::uint32_t>(fabric.nodes().size());
    const std::uint32_t quantum = quantum_nodes(hints, even_gpus(size, 1));
    const std::uint32_t upper = std::min(size.max_nodes > 0 ? size.max_nodes : all, all);
    if (size.as_many_as_possible) {
        return downwards(upper, size.min_nodes, quantum);
    }
    std::uint32_t least = std::max(size.min_nodes, 1U);
    if (size.tasks_per_node > 0) {
        least = std::max(least, ceil_div(size.tasks, size.tasks_per_node));
    }
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t nodes = ceil_div(least, quantum) * quantum;
         nodes <= upper && numbers.size() < kMostShapes;
         nodes += quantum) {
        numbers.push_back(nodes);
    }
    return numbers;
}

/// Numbers of nodes to try when the GPUs of the whole job are known: those that share them evenly.
std::vector<std::uint32_t> numbers_by_total(const JobSize& size, const Fabric& fabric) {
    const std::uint32_t total = total_gpus(size);
    const std::uint32_t least = std::max(size.min_nodes, ceil_div(total, most_gpus(fabric)));
    const std::uint32_t most = size.max_nodes > 0 ? std::min(size.max_nodes, total) : total;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t nodes = std::max(least, 1U); nodes <= most && numbers.size() < kMostShapes;
         ++nodes) {
        if (even_gpus(size, nodes) > 0) {
            numbers.push_back(nodes);
        }
    }
    return numbers;
}

Status uneven(const JobSize& size, const Hints& hints) {
    const std::string nodes = size.nodes_fixed() ? std::to_string(size.min_nodes) + " nodes"
                                                 : "the nodes that the job may have";
    return {ErrorCode::kInvalidArgument,
            hints.to_string() + ": needs the same number of GPUs on every node, and " +
                std::to_string(total_gpus(size)) + " GPUs cannot be shared evenly by " + nodes +
                "; ask for them with --gpus-per-node"};
}

Status no_number(const JobSize& size, const Hints& hints) {
    return {ErrorCode::kInfeasible,
            hints.to_string() + ": no number of nodes from " + std::to_string(size.min_nodes) +
                " to " + std::to_string(size.max_nodes) + " makes whole groups here"};
}

}  // namespace

std::uint32_t even_gpus(const JobSize& size, std::uint32_t nodes) {
    if (size.gpus_per_node > 0) {
        return size.gpus_per_node;
    }
    if (size.gpus_per_task > 0 && size.tasks_per_node > 0) {
        return size.gpus_per_task * size.tasks_per_node;
    }
    const std::uint32_t total = total_gpus(size);
    const std::uint32_t share = nodes > 0 && total % nodes == 0 ? total / nodes : 0;
    return size.gpus_per_task > 0 && share % size.gpus_per_task != 0 ? 0 : share;
}

Result<std::vector<JobShape>> shapes_of(const JobSize& size,
                                        const Hints& hints,
                                        const Fabric& fabric) {
    std::vector<std::uint32_t> numbers{size.min_nodes};
    if (!size.nodes_fixed()) {
        const bool by_total = even_gpus(size, 1) > 0 && size.gpus_per_node == 0 &&
                              (size.gpus_per_task == 0 || size.tasks_per_node == 0);
        numbers = by_total ? numbers_by_total(size, fabric) : numbers_by_node(size, hints, fabric);
    }
    const std::uint32_t least = numbers.empty() ? std::max(size.min_nodes, 1U) : numbers.front();
    if (size.asks_for_gpus() && even_gpus(size, least) == 0) {
        return uneven(size, hints);
    }
    if (numbers.empty()) {
        const Status status = check_feasible(hints, {least, even_gpus(size, least)}, fabric);
        return status ? no_number(size, hints) : status;
    }
    std::vector<JobShape> shapes;
    Status first = Status::ok();
    for (const std::uint32_t nodes : numbers) {
        const JobShape shape{nodes, even_gpus(size, nodes)};
        const Status status = check_feasible(hints, shape, fabric);
        if (status) {
            shapes.push_back(shape);
        } else if (first) {
            first = status;
        }
    }
    if (shapes.empty()) {
        return first;
    }
    return shapes;
}

}  // namespace yardmaster
