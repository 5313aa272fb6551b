#include "topology/cost_model.hpp"

#include <algorithm>

#include "topology/link_model.hpp"

namespace yardmaster {
namespace {

/// Times of many edges, as they come.
class Tally {
  public:
    void add(double seconds) {
        slowest_ = std::max(slowest_, seconds);
        sum_ += seconds;
        count_ += 1;
    }
    void at_least(double seconds) { slowest_ = std::max(slowest_, seconds); }
    KindTime time() const {
        return {slowest_, count_ > 0 ? sum_ / static_cast<double>(count_) : 0};
    }

  private:
    double slowest_ = 0;
    double sum_ = 0;
    std::uint64_t count_ = 0;
};

/// Neighbouring ranks of a group on one node.
struct Visit {
    NodeIndex node{};
    std::uint32_t first_gpu = 0;
    std::uint32_t gpu_step = 1;
    std::uint32_t ranks = 0;

    GpuIndex gpu(std::uint32_t i) const {
        return GpuIndex{static_cast<std::uint16_t>(first_gpu + i * gpu_step)};
    }
};

class Predictor {
  public:
    Predictor(const Fabric& fabric,
              std::span<const NodeIndex> ranked,
              std::uint32_t gpus_per_node,
              const Parallelism& sizes,
              const CostWeights& weights)
        : links_(fabric, weights), ranked_(ranked), gpus_(gpus_per_node), sizes_(sizes) {
        lanes_differ_ = std::any_of(ranked.begin(), ranked.end(), [&](NodeIndex node) {
            return !fabric.node(node).exceptions.empty() || !even_rails(fabric.type_of(node));
        });
    }

    CommTime predict(const GroupBytes& bytes);

  private:
    /// Whether all GPUs of a node have equally fast ways out.
    static bool even_rails(const NodeType& type) {
        return std::all_of(type.rails.begin(), type.rails.end(), [&](const Rail& rail) {
            return rail.gbps == type.rails.front().gbps;
        });
    }
    /// Groups whose first ranks share a node look alike unless GPUs of a node differ.
    bool stands_for_others(const RankGroup& group) const {
        const bool whole = sizes_.tp % gpus_ == 0 || gpus_ % sizes_.tp == 0;
        return lanes_differ_ || !whole || group.first % std::min(sizes_.tp, gpus_) == 0;
    }
    void visit(const RankGroup& group);
    void ring(double bytes, Tally& tally) const;
    void all_to_all(double bytes_per_peer, Tally& tally) const;
    void chain(const RankGroup& group, double bytes, Tally& tally) const;
    KindTime time_of(GroupKind kind, double bytes);

    const LinkModel links_;
    std::span<const NodeIndex> ranked_;
    const std::uint32_t gpus_;
    const Parallelism& sizes_;
    bool lanes_differ_ = false;
    std::vector<Visit> visits_;
};

void Predictor::visit(const RankGroup& group) {
    visits_.clear();
    for (std::uint32_t i = 0; i < group.size; ++i) {
        const auto rank = static_cast<std::uint32_t>(group.rank(i));
        const NodeIndex node = ranked_[rank / gpus_];
        if (visits_.empty() || visits_.back().node != node) {
            visits_.push_back({node, rank % gpus_, group.stride, 0});
        }
        visits_.back().ranks += 1;
    }
}

void Predictor::ring(double bytes, Tally& tally) const {
    for (const Visit& visit : visits_) {
        if (visit.ranks > 1) {
            tally.at_least(bytes * links_.nvlink_seconds_per_byte(visit.node, visit.node));
        }
    }
    if (visits_.size() == 1) {
        const NodeIndex node = visits_.front().node;
        tally.add(bytes * links_.nvlink_seconds_per_byte(node, node));
        return;
    }
    for (std::size_t i = 0; i < visits_.size(); ++i) {
        const Visit& from = visits_[i];
        const Visit& to = visits_[(i + 1) % visits_.size()];
        const Distance away = links_.distance(from.node, to.node);
        const std::uint32_t lanes = std::min(from.ranks, to.ranks);
        double slowest = 0;
        for (std::uint32_t lane = 0; lane < (lanes_differ_ ? lanes : 1); ++lane) {
            slowest = std::max(
                slowest,
                links_.seconds_per_byte(from.node, from.gpu(lane), to.node, to.gpu(lane), away));
        }
        tally.add(bytes / lanes * slowest);
    }
}

void Predictor::all_to_all(double bytes_per_peer, Tally& tally) const {
    for (const Visit& from : visits_) {
        for (std::uint32_t i = 0; i < (lanes_differ_ ? from.ranks : 1); ++i) {
            double seconds = 0;
            for (const Visit& to : visits_) {
                const bool own = &to == &from;
                const Distance away = links_.distance(from.node, to.node);
                // Through NVLink to the neighbour with the peer's rail, so both ends are on one.
                seconds +=
                    (own ? to.ranks - 1 : to.ranks) * bytes_per_peer *
                    links_.seconds_per_byte(from.node, from.gpu(i), to.node, from.gpu(i), away);
            }
            tally.add(seconds);
        }
    }
}

void Predictor::chain(const RankGroup& group, double bytes, Tally& tally) const {
    const auto gpu = [&](std::uint32_t rank) {
        return GpuIndex{static_cast<std::uint16_t>(rank % gpus_)};
    };
    for (std::uint32_t i = 1; i < group.size; ++i) {
        const auto a = static_cast<std::uint32_t>(group.rank(i - 1));
        const auto b = static_cast<std::uint32_t>(group.rank(i));
        const NodeIndex from = ranked_[a / gpus_];
        const NodeIndex to = ranked_[b / gpus_];
        tally.add(bytes *
                  links_.seconds_per_byte(from, gpu(a), to, gpu(b), links_.distance(from, to)));
    }
}

KindTime Predictor::time_of(GroupKind kind, double bytes) {
    Tally tally;
    const std::uint32_t size = group_size(sizes_, kind);
    if (size <= 1 || bytes <= 0) {
        return {};
    }
    const double others = static_cast<double>(size - 1) / size;
    const std::uint32_t count = group_count(sizes_, kind);
    for (std::uint32_t i = 0; i < count; ++i) {
        const RankGroup group = group_of(sizes_, kind, i);
        if (!stands_for_others(group)) {
            continue;
        }
        if (kind == GroupKind::kPp) {
            chain(group, bytes, tally);
            continue;
        }
        visit(group);
        if (kind == GroupKind::kEp) {
            all_to_all(bytes / size, tally);
        } else {
            ring((kind == GroupKind::kCp ? 1 : 2) * others * bytes, tally);
        }
    }
    return tally.time();
}

CommTime Predictor::predict(const GroupBytes& bytes) {
    CommTime time;
    for (GroupKind kind : kGroupKinds) {
        const auto index = static_cast<std::size_t>(kind);
        time.kinds[index] = time_of(kind, bytes[index]);
    }
    return time;
}

/// The unit of a node at `tier`, or as high as the tree goes below it: a number for comparison.
std::uint64_t unit_at(const Fabric& fabric, NodeIndex node, std::uint32_t tier) {
    std::optional<UnitIndex> at = fabric.node(node).leaf;
    if (!at) {
        return fabric.units().size() + raw(node);
    }
    while (fabric.unit(*at).parent && fabric.unit(*fabric.unit(*at).parent).tier <= tier) {
        at = fabric.unit(*at).parent;
    }
    return raw(*at);
}

std::uint32_t tiers_of(const Fabric& fabric) {
    std::uint32_t tiers = 0;
    for (const SwitchUnit& unit : fabric.units()) {
        tiers = std::max(tiers, unit.tier + 1);
    }
    return tiers;
}

}  // namespace

GroupBytes bytes_per_step(const CostWeights& weights, const Parallelism& sizes) {
    const double tokens = weights.tokens_per_replica / sizes.cp;
    const double activations = tokens * weights.hidden * weights.bytes_per_activation;
    const double keys_and_values =
        2 * weights.tokens_per_replica * weights.kv_width * weights.bytes_per_activation;
    GroupBytes bytes{};
    const auto of = [&bytes](GroupKind kind) -> double& {
        return bytes[static_cast<std::size_t>(kind)];
    };
    of(GroupKind::kTp) = 4 * weights.layers_per_stage * activations;
    of(GroupKind::kCp) = 3 * weights.layers_per_stage * keys_and_values / sizes.tp;
    of(GroupKind::kEp) =
        4 * weights.layers_per_stage * weights.experts_per_token * activations / sizes.tp;
    of(GroupKind::kPp) = 2 * activations / sizes.tp;
    of(GroupKind::kGradient) = weights.parameters_per_gpu * weights.bytes_per_gradient;
    return bytes;
}

double CommTime::seconds() const {
    double sum = 0;
    for (const KindTime& kind : kinds) {
        sum += kind.slowest_seconds;
    }
    return sum;
}

double CommTime::cost() const {
    double sum = 0;
    for (const KindTime& kind : kinds) {
        sum += (kind.slowest_seconds + kind.mean_seconds) / 2;
    }
    return sum;
}

CommTime predict(const Fabric& fabric,
                 std::span<const NodeIndex> ranked,
                 std::uint32_t gpus_per_node,
                 const Parallelism& sizes,
                 const CostWeights& weights) {
    return Predictor(fabric, ranked, gpus_per_node, sizes, weights)
        .predict(bytes_per_step(weights, sizes));
}

std::vector<Spread> spread_of(const Fabric& fabric,
                              std::span<const NodeIndex> ranked,
                              std::uint32_t gpus_per_node,
                              const Parallelism& sizes,
                              GroupKind kind) {
    std::vector<Spread> spreads(tiers_of(fabric));
    const std::uint32_t count = group_count(sizes, kind);
    std::vector<std::uint64_t> units;
    for (std::uint32_t tier = 0; tier < spreads.size(); ++tier) {
        std::uint64_t touched = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const RankGroup group = group_of(sizes, kind, i);
            units.clear();
            for (std::uint32_t k = 0; k < group.size; ++k) {
                const auto rank = static_cast<std::uint32_t>(group.rank(k));
                units.push_back(unit_at(fabric, ranked[rank / gpus_per_node], tier));
            }
            std::sort(units.begin(), units.end());
            const auto distinct =
                static_cast<std::uint32_t>(std::unique(units.begin(), units.end()) - units.begin());
            spreads[tier].most = std::max(spreads[tier].most, distinct);
            touched += distinct;
        }
        spreads[tier].mean = static_cast<double>(touched) / count;
    }
    return spreads;
}

}  // namespace yardmaster
