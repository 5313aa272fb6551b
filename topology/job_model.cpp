#include "topology/job_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "topology/link_speed.hpp"

namespace yardmaster {
namespace {

std::uint32_t up(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
}

/// Keeps those sizes that cut the job into whole blocks of whole smaller blocks.
std::vector<std::uint32_t> nested(std::array<std::uint32_t, 3> sizes, std::uint32_t quanta) {
    std::sort(sizes.begin(), sizes.end());
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t size : sizes) {
        const std::uint32_t below = blocks.empty() ? 1 : blocks.back();
        if (size > below && size < quanta && quanta % size == 0 && size % below == 0) {
            blocks.push_back(size);
        }
    }
    return blocks;
}

/// Time of a kind at line rate, for an edge between quanta.
struct Loads {
    double gradient = 0, cp = 0, ep = 0, pp = 0;
};

void settle_loads(const Loads& loads, JobModel& job) {
    job.load_seconds = loads.gradient + loads.cp + loads.ep + loads.pp;
    const auto share = [&](double load) {
        const double part = job.load_seconds > 0 ? load / job.load_seconds : 0;
        return static_cast<std::int64_t>(std::llround(part * static_cast<double>(kWholeLoad)));
    };
    job.gradient_load = share(loads.gradient);
    job.cp_load = share(loads.cp);
    job.ep_load = share(loads.ep);
    job.pp_load = share(loads.pp);
}

void settle_blocks(const Parallelism& sizes, JobModel& job) {
    const std::uint32_t in_stage = sizes.cp * sizes.dp;
    const bool whole = in_stage % job.tp_groups == 0;
    job.stage = whole ? in_stage / job.tp_groups : job.quanta;
    job.next_stage = sizes.pp > 1 ? std::max(1u, in_stage / job.tp_groups) : 0;
    job.next_stage = job.next_stage < job.quanta ? job.next_stage : 0;
    job.cp_block = std::min(up(sizes.cp, job.tp_groups), job.stage);
    job.ep_block = std::min(up(sizes.ep, job.tp_groups), job.stage);
    job.ep = sizes.ep;
    job.blocks = nested({job.cp_block, job.ep_block, job.stage}, job.quanta);
}

Loads loads_of(const Parallelism& sizes,
               const CostWeights& weights,
               double line_bytes_per_s,
               const JobModel& job) {
    const GroupBytes bytes = bytes_per_step(weights, sizes);
    const auto seconds = [&](GroupKind kind) {
        const double n = group_size(sizes, kind);
        return bytes[static_cast<std::size_t>(kind)] * (n - 1) / n / line_bytes_per_s;
    };
    Loads loads;
    loads.gradient = job.stage > 1 ? 2 * seconds(GroupKind::kGradient) / job.tp_groups : 0;
    loads.cp = job.cp_block > 1 ? seconds(GroupKind::kCp) / job.tp_groups : 0;
    loads.ep =
        job.ep_block > 1 ? bytes[static_cast<std::size_t>(GroupKind::kEp)] / line_bytes_per_s : 0;
    loads.pp =
        job.next_stage > 0 ? bytes[static_cast<std::size_t>(GroupKind::kPp)] / line_bytes_per_s : 0;
    return loads;
}

}  // namespace

JobModel model_job(const Fabric& fabric,
                   const Hints& hints,
                   const JobShape& shape,
                   const CostWeights& weights) {
    JobModel job;
    job.quantum = quantum_nodes(hints, shape.gpus_per_node);
    job.quanta = std::max(1u, shape.nodes / job.quantum);
    job.stage = job.quanta;
    const double line = reference_gbps(fabric, weights) * 1e9 / 8;
    const auto sizes = derive_parallelism(hints, shape);
    if (!sizes) {
        settle_loads({job.quanta > 1 ? 1.0 : 0.0}, job);
        return job;
    }
    const std::uint32_t per_quantum = job.quantum * shape.gpus_per_node;
    job.tp_groups = std::max(1u, per_quantum / sizes->tp);
    job.ring_step = job.tp_groups > 1 ? sizes->tp : 0;
    settle_blocks(*sizes, job);
    settle_loads(loads_of(*sizes, weights, line, job), job);
    job.node_hop = kLineRateHop;
    for (const NodeType& type : fabric.types()) {
        if (type.gpus >= std::max(1u, shape.gpus_per_node)) {
            job.node_hop = std::min(job.node_hop, nvlink_hop(fabric, type, weights));
        }
    }
    // Rings that enter a node by several rails pass its GPUs one after another all the same.
    const HopCost inside = job.tp_groups > 1 ? job.node_hop * job.tp_groups : 0;
    job.gradient_floor = inside;
    job.cp_floor = inside;
    return job;
}

}  // namespace yardmaster
