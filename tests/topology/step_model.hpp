// The communication of one training step, written down anew from the description in
// topology/cost_model.hpp, for tests that compare the placer with an optimum. Slow and plain.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/cost_model.hpp"

namespace yardmaster::testing_support {

class StepModel {
  public:
    StepModel(const Fabric& fabric,
              std::uint32_t gpus,
              const Parallelism& sizes,
              const CostWeights& weights)
        : fabric_(fabric),
          gpus_(gpus),
          sizes_(sizes),
          weights_(weights),
          bytes_(bytes_per_step(weights, sizes)) {
        const std::size_t all = fabric.nodes().size() * gpus;
        price_.resize(all * all);
        for (std::size_t a = 0; a < all; ++a) {
            for (std::size_t b = 0; b < all; ++b) {
                price_[a * all + b] = seconds_per_byte(a, b);
            }
        }
    }

    /// Half the slowest and half the mean of every kind but tp, for nodes in rank order.
    double cost(const std::vector<NodeIndex>& order) const {
        double sum = 0;
        const std::uint32_t stage = sizes_.cp * sizes_.dp;
        const double gradient = bytes(GroupKind::kGradient);
        sum += stage > 1 ? rings(order, stage, 2 * gradient) : 0;
        sum += sizes_.cp > 1 ? rings(order, sizes_.cp, bytes(GroupKind::kCp)) : 0;
        sum += sizes_.ep > 1 ? exchanges(order, bytes(GroupKind::kEp)) : 0;
        sum += sizes_.pp > 1 ? pipelines(order, bytes(GroupKind::kPp)) : 0;
        return sum;
    }

  private:
    struct Seconds {
        double slowest = 0, sum = 0;
        std::uint32_t edges = 0;
        void add(double seconds) {
            slowest = std::max(slowest, seconds);
            sum += seconds;
            ++edges;
        }
        double cost() const { return edges > 0 ? (slowest + sum / edges) / 2 : 0; }
    };

    double bytes(GroupKind kind) const { return bytes_[static_cast<std::size_t>(kind)]; }
    std::size_t gpu_of(const std::vector<NodeIndex>& order, std::uint32_t rank) const {
        return raw(order[rank / gpus_]) * gpus_ + rank % gpus_;
    }
    double price(std::size_t a, std::size_t b) const {
        return price_[a * (fabric_.nodes().size() * gpus_) + b];
    }

    /// Groups of `size` TP indices apart: all rings of one kind.
    double rings(const std::vector<NodeIndex>& order, std::uint32_t size, double bytes) const {
        Seconds seconds;
        const double moved = bytes * (size - 1) / size;
        const auto ranks = static_cast<std::uint32_t>(order.size()) * gpus_;
        for (std::uint32_t block = 0; block < ranks; block += size * sizes_.tp) {
            for (std::uint32_t tp = 0; tp < sizes_.tp; ++tp) {
                std::vector<std::vector<std::size_t>> stops;
                for (std::uint32_t i = 0; i < size; ++i) {
                    const std::size_t gpu = gpu_of(order, block + i * sizes_.tp + tp);
                    if (stops.empty() || stops.back().back() / gpus_ != gpu / gpus_) {
                        stops.emplace_back();
                    }
                    stops.back().push_back(gpu);
                }
                ring(stops, moved, seconds);
            }
        }
        return seconds.cost();
    }

    void ring(const std::vector<std::vector<std::size_t>>& stops,
              double bytes,
              Seconds& seconds) const {
        for (const auto& stop : stops) {
            if (stop.size() > 1 || stops.size() == 1) {
                seconds.slowest = std::max(seconds.slowest, bytes * price(stop[0], stop[0]));
            }
        }
        if (stops.size() == 1) {
            seconds.add(bytes * price(stops[0][0], stops[0][0]));
            return;
        }
        for (std::size_t i = 0; i < stops.size(); ++i) {
            const auto& from = stops[i];
            const auto& to = stops[(i + 1) % stops.size()];
            const std::size_t lanes = std::min(from.size(), to.size());
            double slowest = 0;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                slowest = std::max(slowest, price(from[lane], to[lane]));
            }
            seconds.add(bytes / static_cast<double>(lanes) * slowest);
        }
    }

    double exchanges(const std::vector<NodeIndex>& order, double bytes) const {
        Seconds seconds;
        const auto ranks = static_cast<std::uint32_t>(order.size()) * gpus_;
        for (std::uint32_t block = 0; block < ranks; block += sizes_.ep * sizes_.tp) {
            for (std::uint32_t i = 0; i < sizes_.ep * sizes_.tp; ++i) {
                const std::size_t from = gpu_of(order, block + i);
                double sum = 0;
                for (std::uint32_t k = i % sizes_.tp; k < sizes_.ep * sizes_.tp; k += sizes_.tp) {
                    if (k != i) {
                        // To the peer's node on the sender's own rail.
                        const std::size_t to = gpu_of(order, block + k) / gpus_ * gpus_;
                        sum += bytes / sizes_.ep * price(from, to + from % gpus_);
                    }
                }
                seconds.add(sum);
            }
        }
        return seconds.cost();
    }

    double pipelines(const std::vector<NodeIndex>& order, double bytes) const {
        Seconds seconds;
        const std::uint32_t stage = sizes_.tp * sizes_.cp * sizes_.dp;
        for (std::uint32_t rank = stage; rank < order.size() * gpus_; ++rank) {
            seconds.add(bytes * price(gpu_of(order, rank - stage), gpu_of(order, rank)));
        }
        return seconds.cost();
    }

    double rate_gbps(NodeIndex node, std::uint32_t gpu, std::string& nic) const {
        std::optional<Rail> best;
        for (std::uint16_t i = 0; i < fabric_.type_of(node).gpus; ++i) {
            const auto rail = fabric_.rail(node, GpuIndex{i});
            if (rail && i == gpu) {
                nic = rail->nic;
                return rail->gbps;
            }
            if (rail && (!best || rail->gbps < best->gbps)) {
                best = rail;
            }
        }
        nic = best ? best->nic : "rail" + std::to_string(gpu);
        const bool none = fabric_.type_of(node).rails.empty();
        return best   ? best->gbps / 2
               : none ? weights_.default_rail_gbps
                      : weights_.default_rail_gbps / 1e6;
    }

    std::vector<UnitIndex> path(NodeIndex node) const {
        std::vector<UnitIndex> units;
        for (auto unit = fabric_.node(node).leaf; unit; unit = fabric_.unit(*unit).parent) {
            units.push_back(*unit);
        }
        return units;
    }

    double seconds_per_byte(std::size_t gpu_a, std::size_t gpu_b) const {
        const NodeIndex a{static_cast<std::uint32_t>(gpu_a / gpus_)};
        const NodeIndex b{static_cast<std::uint32_t>(gpu_b / gpus_)};
        if (fabric_.node(a).domain == fabric_.node(b).domain) {
            return 1 / (fabric_.type_of(a).nvlink_gigabytes_per_s * 1e9);
        }
        std::string nic_a, nic_b;
        const double gbps =
            std::min(rate_gbps(a, gpu_a % gpus_, nic_a), rate_gbps(b, gpu_b % gpus_, nic_b));
        const double line = 8 / (gbps * 1e9);
        const std::vector<UnitIndex> from = path(a);
        const std::vector<UnitIndex> to = path(b);
        const auto in = [](const std::vector<UnitIndex>& units, UnitIndex unit) {
            return std::find(units.begin(), units.end(), unit) != units.end();
        };
        if (from.empty() || to.empty() || from.back() != to.back()) {
            return line * 1e6;
        }
        double extra = 0;
        const bool detour = from.front() == to.front() && nic_a != nic_b;
        const auto leave = [&](UnitIndex unit) {
            extra += (fabric_.unit(unit).oversubscription - 1 + weights_.tier_crossing) / 2;
        };
        for (UnitIndex unit : from) {
            if (!in(to, unit) || (detour && unit == from.front())) {
                leave(unit);
            }
        }
        for (UnitIndex unit : to) {
            if (!in(from, unit) || (detour && unit == to.front())) {
                leave(unit);
            }
        }
        return line * (1 + extra);
    }

    const Fabric& fabric_;
    const std::uint32_t gpus_;
    const Parallelism sizes_;
    const CostWeights weights_;
    const GroupBytes bytes_;
    std::vector<double> price_;  // [gpu][gpu] seconds per byte
};

}  // namespace yardmaster::testing_support
