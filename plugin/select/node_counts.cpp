#include "plugin/select/node_counts.hpp"

#include "plugin/abi/gpu_marks.h"
#include "plugin/abi/slurm_abi.h"
#include "topology/soft_mark.hpp"

namespace yardmaster {
namespace {

std::time_t soft_until(std::int32_t node) {
    const char* extra = ym_node_extra(node);
    const auto mark = parse_soft_mark(extra != nullptr ? extra : "");
    return mark ? mark->until : 0;
}

}  // namespace

void NodeCounts::start_anew(std::size_t size, Clock::time_point now) {
    counts_.assign(size, {});
    known_.assign(size, 0);
    masks_.assign(size, {});
    masks_known_.assign(size, 0);
    next_ = 0;
    aged_until_ = now;
}

void NodeCounts::age(Clock::time_point now) {
    const auto size = static_cast<std::int64_t>(counts_.size());
    const Clock::duration gone = now - aged_until_;
    if (gone >= kMaxAge || size == 0) {
        start_anew(counts_.size(), now);
        return;
    }
    constexpr Clock::duration kTurn = kMaxAge;
    const std::int64_t due = gone.count() * size / kTurn.count();
    for (std::int64_t i = 0; i < due; ++i) {
        forget(next_);
        next_ = static_cast<std::int32_t>((next_ + 1) % size);
    }
    aged_until_ += kTurn * due / size;
}

const std::vector<NodeCount>& NodeCounts::read(const NodeSet& nodes, Clock::time_point now) {
    const auto size = static_cast<std::size_t>(ym_node_count());
    if (counts_.size() != size) {
        start_anew(size, now);
    }
    age(now);
    for (const std::int32_t node : nodes) {
        const auto i = static_cast<std::size_t>(node);
        if (known_[i] == 0) {
            NodeCount& count = counts_[i];
            ym_node_gpus(node, &count.gpus, &count.free_gpus);
            count.cpus = ym_node_cpus(node);
            count.soft_until = soft_until(node);
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
