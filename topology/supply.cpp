#include "topology/supply.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

namespace yardmaster {
namespace {

constexpr std::uint32_t kMaxRanks = 16;

std::vector<std::uint16_t> distinct_classes(const std::vector<NodeOffer>& offers,
                                            bool usable_only) {
    std::vector<std::uint64_t> seen(65536 / 64, 0);
    for (const NodeOffer& offer : offers) {
        if (!usable_only || offer.usable || offer.required) {
            seen[offer.weight_class / 64] |= std::uint64_t{1} << (offer.weight_class % 64);
        }
    }
    std::vector<std::uint16_t> classes;
    for (std::uint32_t i = 65536; i-- > 0;) {
        if (seen[i / 64] == 0) {
            i -= i % 64;
        } else if ((seen[i / 64] >> (i % 64) & 1) != 0) {
            classes.push_back(static_cast<std::uint16_t>(i));
        }
    }
    return classes;
}

bool is_mixed(const UnitTree& tree, const QuantaSupply& supply) {
    bool shared = false;
    bool loose = false;
    for (std::size_t i = 0; i < tree.bins().size(); ++i) {
        const bool any = supply.capacity[i] > 0;
        shared |= any && tree.bins()[i].multi_node_domain;
        loose |= any && tree.bins()[i].loose;
    }
    return shared && loose;
}

/// The quanta of one bin, as they are counted.
class BinCounter {
  public:
    BinCounter(const Roster& roster, const std::vector<std::uint8_t>& avoided)
        : roster_(roster), avoided_(avoided) {}

    /// Counts bin `number` into `supply`; forced holds the quanta of required nodes only.
    Status count(std::uint32_t number, QuantaSupply& supply);
    /// The nodes of the bin counted last, avoided ones left out.
    const std::vector<NodeIndex>& nodes() const { return nodes_; }

  private:
    const Roster& roster_;
    const std::vector<std::uint8_t>& avoided_;
    std::vector<NodeIndex> nodes_;
};

Status BinCounter::count(std::uint32_t number, QuantaSupply& supply) {
    nodes_.clear();
    std::uint32_t required = 0;
    std::uint32_t part_used = 0;
    for (NodeIndex node : roster_.nodes(number)) {
        if (avoided_[raw(node)] != 0) {
            continue;
        }
        nodes_.push_back(node);
        required += roster_.offer(node).required ? 1 : 0;
        part_used += roster_.offer(node).part_used ? 1 : 0;
    }
    const std::uint32_t quantum = roster_.quantum();
    const bool unfit = roster_.tree().bins()[number].loose && quantum > 1;
    supply.capacity[number] = unfit ? 0 : static_cast<std::uint32_t>(nodes_.size()) / quantum;
    supply.forced[number] = (required + quantum - 1) / quantum;
    supply.part_used[number] = part_used;
    if (supply.forced[number] > supply.capacity[number]) {
        return {ErrorCode::kUnavailable,
                "a required node has no whole TP group of " + std::to_string(quantum) +
                    " free nodes in its NVLink domain"};
    }
    return Status::ok();
}

std::uint64_t total(std::span<const std::uint32_t> bins, const std::vector<std::uint32_t>& of) {
    std::uint64_t sum = 0;
    for (std::uint32_t bin : bins) {
        sum += of[bin];
    }
    return sum;
}

/// Weights of all quanta that are not forced, bin after bin, each bin's ascending.
std::vector<std::uint64_t> free_weights(const Roster& roster,
                                        std::span<const std::uint32_t> bins,
                                        const std::vector<std::uint8_t>& avoided,
                                        QuantaSupply& supply) {
    BinCounter counter(roster, avoided);
    std::vector<std::uint64_t> weights;
    for (std::uint32_t bin : bins) {
        (void)counter.count(bin, supply);
        const std::span<const NodeIndex> nodes = counter.nodes();
        for (std::uint32_t i = supply.forced[bin]; i < supply.capacity[bin]; ++i) {
            weights.push_back(
                roster.weight_of(nodes.subspan(i * roster.quantum(), roster.quantum())));
        }
    }
    return weights;
}

/// Nodes of every class, heaviest first, that the lightest `needed` of `weights` take.
std::vector<std::uint32_t> lightest_use(const Roster& roster,
                                        std::vector<std::uint64_t> weights,
                                        std::uint64_t needed) {
    std::sort(weights.begin(), weights.end());
    std::vector<std::uint32_t> use(64, 0);
    for (std::uint64_t i = 0; i < needed; ++i) {
        roster.add_use(weights[i], use);
    }
    std::reverse(use.begin(), use.end());
    return use;
}

/// Forces all quanta lighter than the `needed`-th lightest and drops all that are heavier.
void keep_lightest(std::span<const std::uint32_t> bins,
                   const std::vector<std::uint64_t>& weights,
                   std::uint64_t needed,
                   QuantaSupply& supply) {
    std::vector<std::uint64_t> sorted = weights;
    std::uint64_t limit = 0;
    if (needed > 0) {
        const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(needed - 1);
        std::nth_element(sorted.begin(), at, sorted.end());
        limit = *at;
    }
    std::size_t next = 0;
    for (std::uint32_t bin : bins) {
        const std::uint32_t forced = supply.forced[bin];
        const std::uint32_t capacity = supply.capacity[bin];
        supply.capacity[bin] = forced;
        for (std::uint32_t i = forced; i < capacity; ++i, ++next) {
            supply.forced[bin] += weights[next] < limit ? 1 : 0;
            supply.capacity[bin] += weights[next] <= limit && needed > 0 ? 1 : 0;
        }
    }
}

}  // namespace

Census take_census(const Fabric& fabric,
                   const UnitTree& tree,
                   const std::vector<NodeOffer>& offers) {
    Census census;
    census.domain_free.assign(fabric.domains().size(), 1);
    census.group_free.assign(tree.cells().size(), 1);
    census.group_usable.assign(tree.cells().size(), 0);
    census.weight_classes = distinct_classes(offers, false);
    for (std::uint32_t i = 0; i < offers.size(); ++i) {
        const NodeOffer& offer = offers[i];
        const Bin& bin = tree.bins()[tree.bin_of(NodeIndex{i})];
        const std::uint32_t group = tree.cells()[bin.cell].group;
        const bool usable = offer.usable || offer.required;
        census.group_usable[group] += usable ? 1 : 0;
        if (!usable || offer.part_used) {
            census.group_free[group] = 0;
            census.domain_free[raw(fabric.node(NodeIndex{i}).domain)] = 0;
        }
    }
    return census;
}

Roster::Roster(const UnitTree& tree,
               const UnitTree& cut,
               const PlacementRequest& request,
               std::uint32_t quantum,
               const RailKinds* rails)
    : tree_(tree), offers_(request.offers), rails_(rails), quantum_(quantum) {
    rank_classes();
    // Two counting sorts: by bucket, then (stable) by bin.
    std::vector<std::uint32_t> ends(16 * kMaxRanks + 1, 0);
    first_.assign(tree.bins().size() + 2, 0);
    std::uint32_t usable = 0;
    for (std::uint32_t i = 0; i < offers_.size(); ++i) {
        if (offers_[i].usable || offers_[i].required) {
            ends[bucket(NodeIndex{i}) + 1] += 1;
            first_[tree.bin_of(NodeIndex{i}) + 2] += 1;
            usable += 1;
        }
    }
    for (std::size_t i = 1; i < ends.size(); ++i) {
        ends[i] += ends[i - 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) {
        first_[i] += first_[i - 1];
    }
    std::vector<NodeIndex> by_bucket(usable);
    for (std::uint32_t i = 0; i < offers_.size(); ++i) {
        if (offers_[i].usable || offers_[i].required) {
            by_bucket[ends[bucket(NodeIndex{i})]++] = NodeIndex{i};
        }
    }
    order_.resize(usable);
    for (NodeIndex node : by_bucket) {
        // first_[bin + 1] runs from the bin's begin to its end, which is where it has to stay.
        order_[first_[tree.bin_of(node) + 1]++] = node;
    }
    first_.pop_back();
    if (&cut != &tree) {
        gather(cut);
    }
}

/// Makes nodes of one leaf group neighbours, inside a bin and as far as they are as welcome.
void Roster::gather(const UnitTree& cut) {
    std::vector<std::uint32_t> count(cut.bins().size(), 0);
    for (NodeIndex node : order_) {
        count[cut.bin_of(node)] += 1;
    }
    const auto key = [&](NodeIndex node) {
        const std::uint32_t bin = cut.bin_of(node);
        return std::tuple(bucket(node) / 2, ~count[bin], bin, bucket(node), node);
    };
    for (std::size_t bin = 0; bin + 1 < first_.size(); ++bin) {
        std::sort(order_.begin() + first_[bin],
                  order_.begin() + first_[bin + 1],
                  [&](NodeIndex a, NodeIndex b) { return key(a) < key(b); });
    }
}

void Roster::rank_classes() {
    std::vector<std::uint16_t> classes = distinct_classes(offers_, true);
    std::reverse(classes.begin(), classes.end());
    classes_ = static_cast<std::uint32_t>(classes.size());
    rank_of_.assign(classes.empty() ? 1 : std::size_t{classes.back()} + 1, 0);
    const std::uint32_t bits = static_cast<std::uint32_t>(std::bit_width(quantum_));
    const std::uint32_t ranks = std::min(kMaxRanks, 63 / bits);
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
        rank_of_[classes[i]] = static_cast<std::uint8_t>(std::min(i, ranks - 1));
    }
}

std::uint32_t Roster::bucket(NodeIndex node) const {
    const NodeOffer& offer = offers_[raw(node)];
    const std::uint32_t rank = rank_of_[offer.weight_class];
    const bool slow = rails_ != nullptr && !rails_->grade(node).perfect();
    return (offer.required ? 0 : 8 * kMaxRanks) + 8 * rank + (slow ? 4 : 0) +
           (offer.soft_degraded ? 2 : 0) + (offer.part_used ? 0 : 1);
}

void Roster::add_use(std::uint64_t weight, std::vector<std::uint32_t>& use) const {
    const std::uint32_t bits = static_cast<std::uint32_t>(std::bit_width(quantum_));
    for (std::uint32_t rank = 0; weight != 0; ++rank, weight >>= bits) {
        use[rank] += static_cast<std::uint32_t>(weight & ((std::uint64_t{1} << bits) - 1));
    }
}

std::uint64_t Roster::weight_of(std::span<const NodeIndex> nodes) const {
    const std::uint32_t bits = static_cast<std::uint32_t>(std::bit_width(quantum_));
    std::uint64_t weight = 0;
    for (NodeIndex node : nodes) {
        weight += std::uint64_t{1} << (bits * rank_of_[offers_[raw(node)].weight_class]);
    }
    return weight;
}

Status count_supply(const Roster& roster,
                    std::span<const std::uint32_t> bins,
                    const std::vector<std::uint8_t>& avoided,
                    std::uint32_t quanta,
                    QuantaSupply& supply) {
    const std::size_t size = roster.tree().bins().size();
    supply.by_leaf = false;
    supply.capacity.assign(size, 0);
    supply.forced.assign(size, 0);
    supply.part_used.assign(size, 0);
    BinCounter counter(roster, avoided);
    for (std::uint32_t bin : bins) {
        if (Status status = counter.count(bin, supply); !status) {
            return status;
        }
    }
    const std::uint64_t available = total(bins, supply.capacity);
    const std::uint64_t required = total(bins, supply.forced);
    if (available < quanta || required > quanta) {
        const std::string nodes = std::to_string(std::uint64_t{quanta} * roster.quantum());
        return {ErrorCode::kUnavailable,
                available < quanta
                    ? "free nodes in whole TP groups: " +
                          std::to_string(available * roster.quantum()) + ", needed: " + nodes
                    : "the required nodes lie in more TP groups than the job has (" +
                          std::to_string(quanta) + ")"};
    }
    if (!roster.one_class()) {
        const auto weights = free_weights(roster, bins, avoided, supply);
        keep_lightest(bins, weights, quanta - required, supply);
    }
    supply.forced_total = static_cast<std::uint32_t>(total(bins, supply.forced));
    supply.mixed = is_mixed(roster.tree(), supply);
    return Status::ok();
}

namespace {

/// One leaf group as a place for the whole job.
struct LeafOption {
    std::vector<std::uint32_t> bins;
    std::vector<std::uint32_t> use;  ///< nodes by class, heaviest first
};

std::vector<std::uint32_t> bins_of(const UnitTree& tree, const Cell& leaf) {
    std::vector<std::uint32_t> bins;
    for (std::uint32_t i = 0; i < leaf.child_count; ++i) {
        bins.push_back(tree.cells()[leaf.first_child + i].bin);
    }
    return bins;
}

/// Counts one leaf group. Its bins stay without capacity when it cannot hold the job.
bool count_leaf(const Roster& roster,
                const std::vector<std::uint8_t>& avoided,
                std::uint32_t quanta,
                std::uint64_t required_everywhere,
                LeafOption& leaf,
                QuantaSupply& supply) {
    const std::uint64_t required = total(leaf.bins, supply.forced);
    const bool holds = total(leaf.bins, supply.capacity) >= quanta && required <= quanta &&
                       required == required_everywhere;
    if (holds) {
        const auto weights = free_weights(roster, leaf.bins, avoided, supply);
        leaf.use = lightest_use(roster, weights, quanta - required);
        keep_lightest(leaf.bins, weights, quanta - required, supply);
    }
    return holds;
}

void close_leaf(const LeafOption& leaf, QuantaSupply& supply) {
    for (std::uint32_t bin : leaf.bins) {
        supply.capacity[bin] = supply.forced[bin] = 0;
    }
}

}  // namespace

Status count_supply_by_leaf(const Roster& roster,
                            const std::vector<std::uint8_t>& avoided,
                            std::uint32_t quanta,
                            QuantaSupply& supply) {
    const UnitTree& tree = roster.tree();
    supply.capacity.assign(tree.bins().size(), 0);
    supply.forced.assign(tree.bins().size(), 0);
    supply.part_used.assign(tree.bins().size(), 0);
    supply.forced_total = 0;
    supply.by_leaf = true;
    BinCounter counter(roster, avoided);
    std::uint64_t required = 0;
    for (std::uint32_t bin = 0; bin < tree.bins().size(); ++bin) {
        if (Status status = counter.count(bin, supply); !status) {
            return status;
        }
        required += supply.forced[bin];
    }
    std::optional<LeafOption> best;
    std::vector<LeafOption> others;
    for (const Cell& cell : tree.cells()) {
        if (cell.kind != CellKind::kLeaf) {
            continue;
        }
        LeafOption leaf{bins_of(tree, cell), {}};
        const bool holds = count_leaf(roster, avoided, quanta, required, leaf, supply);
        if (!holds || (best && best->use < leaf.use)) {
            close_leaf(leaf, supply);
            continue;
        }
        if (best && leaf.use < best->use) {
            close_leaf(*best, supply);
            std::for_each(others.begin(), others.end(), [&](const LeafOption& other) {
                close_leaf(other, supply);
            });
            others.clear();
            best.reset();
        }
        if (best) {
            others.push_back(std::move(leaf));
        } else {
            best = std::move(leaf);
        }
    }
    if (!best) {
        return {ErrorCode::kUnavailable,
                "leaf: no leaf group has " +
                    std::to_string(std::uint64_t{quanta} * roster.quantum()) +
                    " free nodes in whole TP groups and all required ones"};
    }
    supply.mixed = is_mixed(tree, supply);
    return Status::ok();
}

}  // namespace yardmaster
