// check_feasible: whether a job could run with its hints if every node of the fabric were free.
#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "topology/hints.hpp"

namespace yardmaster {
namespace {

Status invalid(std::string message) {
    return {ErrorCode::kInvalidArgument, std::move(message)};
}
Status infeasible(std::string message) {
    return {ErrorCode::kInfeasible, std::move(message)};
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

bool sized(const Hints& hints) {
    return hints.tp || hints.cp || hints.ep || hints.pp || hints.dp;
}

std::uint64_t or_one(const std::optional<std::uint32_t>& size) {
    return size.value_or(1);
}

/// tp x cp x pp x dp as far as given. ep is no factor: it regroups the dp (and cp) ranks.
std::uint64_t product(const Hints& hints) {
    // At most 65536^4 = 2^64, which would wrap to 0; the caller compares with 2^40 or so.
    const std::uint64_t inner = or_one(hints.tp) * or_one(hints.cp);
    const std::uint64_t outer = or_one(hints.pp) * or_one(hints.dp);
    return inner > UINT64_MAX / outer ? UINT64_MAX : inner * outer;
}

Status check_product(const Hints& hints, std::uint64_t gpus) {
    const std::uint64_t asked = product(hints);
    if (gpus % asked != 0) {
        return invalid(hints.to_string() + ": tp x cp x pp x dp must divide the job's GPUs, but " +
                       std::to_string(asked) + " does not divide " + std::to_string(gpus));
    }
    if (hints.dp && hints.tp && hints.pp && gpus != asked) {
        return invalid(hints.to_string() + ": makes " + counted(asked, "GPU") +
                       ", but the job has " + std::to_string(gpus) + "; leave dp out or write dp" +
                       std::to_string(gpus / (asked / *hints.dp)));
    }
    return Status::ok();
}

/// Megatron: expert groups are made of data-parallel (and context-parallel) ranks, so ep divides
/// their number.
Status check_experts(const Hints& hints, std::uint64_t gpus) {
    if (!hints.ep) {
        return Status::ok();
    }
    std::uint64_t ranks = 0;
    if (gpus > 0) {
        ranks = gpus / (or_one(hints.tp) * or_one(hints.pp));
    } else if (hints.dp) {
        ranks = or_one(hints.dp) * or_one(hints.cp);
    }
    if (ranks > 0 && ranks % *hints.ep != 0) {
        return invalid("ep" + std::to_string(*hints.ep) +
                       ": expert groups are made of data-parallel ranks (times cp), and " +
                       std::to_string(*hints.ep) + " does not divide these " +
                       std::to_string(ranks));
    }
    return Status::ok();
}

/// What the fabric offers to a job with so many GPUs per node, when empty.
struct Offer {
    std::uint64_t nodes = 0;         ///< nodes with enough GPUs
    std::uint32_t most_gpus = 0;     ///< GPUs of the largest node
    std::uint32_t domain_nodes = 0;  ///< such nodes in the domain that has most of them
    std::vector<std::uint32_t> per_domain;
};

Offer offer_of(const Fabric& fabric, std::uint32_t gpus_per_node) {
    Offer offer;
    offer.per_domain.resize(fabric.domains().size());
    for (const FabricNode& node : fabric.nodes()) {
        const std::uint32_t gpus = fabric.types()[node.type].gpus;
        offer.most_gpus = std::max(offer.most_gpus, gpus);
        if (gpus >= gpus_per_node) {
            offer.nodes += 1;
            const std::uint32_t in_domain = ++offer.per_domain[raw(node.domain)];
            offer.domain_nodes = std::max(offer.domain_nodes, in_domain);
        }
    }
    return offer;
}

Status check_nodes(const Hints& hints, const JobShape& shape, const Offer& offer) {
    if (offer.nodes == 0) {
        return infeasible(hints.to_string() + ": no node here has " +
                          counted(shape.gpus_per_node, "GPU") + "; the largest has " +
                          std::to_string(offer.most_gpus));
    }
    if (shape.nodes > offer.nodes) {
        return infeasible(hints.to_string() + ": the job asks for " + counted(shape.nodes, "node") +
                          ", and the fabric has " + std::to_string(offer.nodes) + " with " +
                          counted(shape.gpus_per_node, "GPU"));
    }
    return Status::ok();
}

/// The largest tp whose groups fit a domain and, as far as known, divide the job.
std::uint32_t largest_tp(const JobShape& shape, const Offer& offer) {
    const std::uint32_t per_node = shape.gpus_per_node;
    for (std::uint32_t tp = per_node * offer.domain_nodes; tp > 1; --tp) {
        const bool fits = std::lcm(tp, per_node) / per_node <= offer.domain_nodes;
        if (fits && (shape.nodes == 0 || shape.gpus() % tp == 0)) {
            return tp;
        }
    }
    return 1;
}

Status check_tp_fits(const Hints& hints,
                     const JobShape& shape,
                     const Fabric& fabric,
                     const Offer& offer) {
    const std::uint32_t quantum = quantum_nodes(hints, shape.gpus_per_node);
    if (quantum <= offer.domain_nodes) {
        return Status::ok();
    }
    const std::string tp = "tp" + std::to_string(*hints.tp);
    const std::string remedy =
        ", so the largest that fits is tp" + std::to_string(largest_tp(shape, offer));
    const std::uint32_t largest = fabric.largest_domain_gpus();
    if (*hints.tp > largest) {
        return infeasible(tp + ": largest NVLink domain here has " + counted(largest, "GPU") +
                          remedy);
    }
    return infeasible(tp + " with " + std::to_string(shape.gpus_per_node) +
                      " GPUs per node takes whole groups of " + counted(quantum, "node") +
                      "; at most " + counted(offer.domain_nodes, "such node") +
                      " here share NVLink" + remedy);
}

std::uint64_t whole_quanta(const std::vector<std::uint32_t>& nodes, std::uint32_t quantum) {
    std::uint64_t quanta = 0;
    for (std::uint32_t count : nodes) {
        quanta += count / quantum;
    }
    return quanta;
}

Status check_tp_groups(const Hints& hints, const JobShape& shape, const Offer& offer) {
    const std::uint32_t quantum = quantum_nodes(hints, shape.gpus_per_node);
    const std::uint64_t held = whole_quanta(offer.per_domain, quantum) * quantum;
    if (shape.nodes <= held) {
        return Status::ok();
    }
    return infeasible("tp" + std::to_string(*hints.tp) + ": in whole groups of " +
                      counted(quantum, "node") + " the NVLink domains here hold " +
                      counted(held, "node") + ", and the job asks for " +
                      std::to_string(shape.nodes));
}

/// Nodes that a job of whole quanta can have inside one leaf group.
std::uint64_t leaf_capacity(const Fabric& fabric,
                            const SwitchUnit& leaf,
                            std::uint32_t gpus_per_node,
                            std::uint32_t quantum) {
    std::vector<std::uint32_t> domains;
    for (NodeIndex i : leaf.nodes) {
        if (fabric.type_of(i).gpus >= gpus_per_node) {
            domains.push_back(static_cast<std::uint32_t>(raw(fabric.node(i).domain)));
        }
    }
    std::sort(domains.begin(), domains.end());
    std::uint64_t capacity = 0;
    for (std::size_t begin = 0, end = 0; begin < domains.size(); begin = end) {
        while (end < domains.size() && domains[end] == domains[begin]) {
            ++end;
        }
        capacity += (end - begin) / quantum * quantum;
    }
    return capacity;
}

/// A job with a hard hint is not laid across separate fabrics, so one of them has to hold it. Nodes
/// below no switch count as one: nothing says that they are apart.
Status check_one_fabric(const Hints& hints, const JobShape& shape, const Fabric& fabric) {
    const std::uint32_t quantum = quantum_nodes(hints, shape.gpus_per_node);
    std::map<std::optional<UnitIndex>, std::uint64_t> held;
    for (const NvlinkDomain& domain : fabric.domains()) {
        std::map<std::optional<UnitIndex>, std::uint32_t> nodes;
        for (NodeIndex node : domain.nodes) {
            std::optional<UnitIndex> root = fabric.node(node).leaf;
            while (root && fabric.unit(*root).parent) {
                root = fabric.unit(*root).parent;
            }
            nodes[root] += fabric.type_of(node).gpus >= shape.gpus_per_node ? 1 : 0;
        }
        for (const auto& [root, count] : nodes) {
            held[root] += count / quantum * quantum;
        }
    }
    std::uint64_t most = 0;
    for (const auto& [root, count] : held) {
        most = std::max(most, count);
    }
    if (shape.nodes <= most) {
        return Status::ok();
    }
    return infeasible(hints.to_string() + ": no switch connects enough nodes: the job asks for " +
                      counted(shape.nodes, "node") + ", and the largest of the " +
                      std::to_string(held.size()) + " separate fabrics here holds " +
                      std::to_string(most) + " for it");
}

Status check_leaf(const Hints& hints, const JobShape& shape, const Fabric& fabric) {
    const std::uint32_t quantum = quantum_nodes(hints, shape.gpus_per_node);
    const std::uint64_t needed = std::max<std::uint64_t>(shape.nodes, quantum);
    std::uint64_t most = 0;
    std::string name;
    for (const SwitchUnit& unit : fabric.units()) {
        const std::uint64_t capacity = leaf_capacity(fabric, unit, shape.gpus_per_node, quantum);
        if (capacity > most) {
            most = capacity;
            name = unit.name;
        }
    }
    if (most == 0) {
        return infeasible("leaf: no leaf group here holds such nodes");
    }
    if (most < needed) {
        return infeasible("leaf: the job asks for " + counted(needed, "node") +
                          "; the largest leaf group here, " + name + ", holds " +
                          std::to_string(most) + " for it");
    }
    return Status::ok();
}

}  // namespace

std::uint32_t quantum_nodes(const Hints& hints, std::uint32_t gpus_per_node) {
    if (!hints.tp || gpus_per_node == 0) {
        return 1;
    }
    return std::lcm(*hints.tp, gpus_per_node) / gpus_per_node;
}

Status check_sizes(const Hints& hints, const JobShape& shape) {
    if (!sized(hints) && !hints.rail) {
        return Status::ok();
    }
    if (shape.gpus_per_node == 0) {
        return invalid(hints.to_string() +
                       ": needs to know the GPUs per node; ask for them with --gpus-per-node or "
                       "--gres=gpu:N");
    }
    if (shape.nodes > 0) {
        if (Status status = check_product(hints, shape.gpus()); !status) {
            return status;
        }
    }
    return check_experts(hints, shape.gpus());
}

Status check_feasible(const Hints& hints, const JobShape& shape, const Fabric& fabric) {
    if (Status status = check_sizes(hints, shape); !status) {
        return status;
    }
    if (!hints.hard()) {
        return Status::ok();
    }
    const Offer offer = offer_of(fabric, shape.gpus_per_node);
    Status status = check_nodes(hints, shape, offer);
    if (status && hints.tp) {
        status = check_tp_fits(hints, shape, fabric, offer);
    }
    if (status && hints.tp) {
        status = check_tp_groups(hints, shape, offer);
    }
    if (status) {
        status = check_one_fabric(hints, shape, fabric);
    }
    if (status && hints.leaf) {
        status = check_leaf(hints, shape, fabric);
    }
    return status;
}

}  // namespace yardmaster
