#include "plugin/select/node_counts.hpp"

#include "plugin/abi/gpu_marks.h"
#include "plugin/abi/slurm_abi.h"

namespace yardmaster {

const std::vector<NodeCount>& NodeCounts::read(const NodeSet& nodes, Clock::time_point now) {
    const auto size = static_cast<std::size_t>(ym_node_count());
    if (counts_.size() != size || now - since_ > kMaxAge) {
        counts_.assign(size, {});
        known_.assign(size, 0);
        masks_.assign(size, {});
        masks_known_.assign(size, 0);
        since_ = now;
    }
    for (const std::int32_t node : nodes) {
        const auto i = static_cast<std::size_t>(node);
        if (known_[i] == 0) {
            NodeCount& count = counts_[i];
            ym_node_gpus(node, &count.gpus, &count.free_gpus);
            count.cpus = ym_node_cpus(node);
            known_[i] = 1;
        }
    }
    return counts_;
}

const NodeMasks& NodeCounts::masks(std::int32_t node, std::uint32_t gpu_type) {
    if (gpu_type != masks_type_) {
        masks_known_.assign(masks_known_.size(), 0);
        masks_type_ = gpu_type;
    }
    const auto i = static_cast<std::size_t>(node);
    if (masks_known_[i] == 0) {
        ym_gpu_masks read;
        masks_[i].indices = ym_node_gpu_masks(node, gpu_type, &read);
        masks_[i].fit = read.fit;
        masks_[i].free = read.free;
        masks_[i].shared = read.shared;
        masks_known_[i] = 1;
    }
    return masks_[i];
}

void NodeCounts::forget(std::int32_t node) {
    if (const auto i = static_cast<std::size_t>(node); i < known_.size()) {
        known_[i] = 0;
        masks_known_[i] = 0;
    }
}

void NodeCounts::forget(const NodeSet& nodes) {
    for (const std::int32_t node : nodes) {
        forget(node);
    }
}

}  // namespace yardmaster
