#include "topology/order_choice.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

/// All orders are tried for jobs of so many quanta: 720 at most.
constexpr std::uint32_t kMaxPermuted = 6;
/// Exchanges are tried for jobs of so many quanta, and so often.
constexpr std::uint32_t kMaxExchanged = 24;
constexpr int kMaxTries = 400;
/// For jobs of more quanta than kMaxPermuted. Orders that leave the tree's are taken where they
/// cost less by this part at least: the model is not finer than that, and blocks that stay together
/// are easier to explain and to keep.
constexpr OrderCost kWorthwhile = 110;
/// Gradients that weigh so many times more than the pipeline are not spread for its sake: what the
/// model would gain lies within its error, and collectives suffer from spread (Arnold).
constexpr std::int64_t kLightPipeline = 5;

}  // namespace

OrderChooser::OrderChooser(const PlacerTables& tables, const JobModel& job)
    : tables_(tables),
      job_(job),
      choice_(tables.tree_for(job.quantum)),
      orderer_(choice_, job),
      pricer_(tables.cut, tables.rails, job) {}

/// Sorted so that every unit's nodes are neighbours, and in an NVLink domain those of a leaf group;
/// there slower ones last.
std::vector<NodeIndex> OrderChooser::along_tree(std::vector<NodeIndex> nodes) const {
    const auto place = [&](NodeIndex node) {
        return choice_.cells()[choice_.bins()[choice_.bin_of(node)].cell].preorder;
    };
    const auto before = [&](NodeIndex a, NodeIndex b) {
        const std::pair place_a(place(a), tables_.cut.bin_of(a));
        const std::pair place_b(place(b), tables_.cut.bin_of(b));
        if (place_a != place_b) {
            return place_a < place_b;
        }
        const RailGrade& grade_a = tables_.rails.grade(a);
        const RailGrade& grade_b = tables_.rails.grade(b);
        return grade_a != grade_b ? grade_a < grade_b : a < b;
    };
    if (!std::is_sorted(nodes.begin(), nodes.end(), before)) {
        std::sort(nodes.begin(), nodes.end(), before);
    }
    return nodes;
}

PricedOrder OrderChooser::choose(const std::vector<NodeIndex>& nodes) {
    const std::vector<NodeIndex> plain = along_tree(nodes);
    PricedOrder best{orderer_.order(plain), 0};
    best.cost = pricer_.price(best.nodes);
    if (!orderer_.has_blocks() && job_.next_stage == 0) {
        return best;
    }
    consider(plain, 0, best);
    if (!light_pipeline()) {
        const OrderCost margin = best.cost / kWorthwhile;
        consider(orderer_.by_replica(best.nodes), margin, best);
        consider(orderer_.by_replica(plain), margin, best);
    }
    return best;
}

void OrderChooser::consider(std::vector<NodeIndex> nodes, OrderCost margin, PricedOrder& best) {
    const OrderCost cost = pricer_.price(nodes);
    if (cost + margin < best.cost) {
        best = {std::move(nodes), cost};
    }
}

bool OrderChooser::light_pipeline() const {
    return job_.pp_load * kLightPipeline <= job_.gradient_load;
}

void OrderChooser::swap_quanta(std::vector<NodeIndex>& nodes,
                               std::uint32_t a,
                               std::uint32_t b) const {
    const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(std::size_t{a} * job_.quantum);
    std::swap_ranges(first,
                     first + static_cast<std::ptrdiff_t>(job_.quantum),
                     nodes.begin() + static_cast<std::ptrdiff_t>(std::size_t{b} * job_.quantum));
}

/// Whether it helped.
bool OrderChooser::exchange(PricedOrder& order) {
    const OrderCost before = order.cost;
    int tries = 0;
    for (bool better = true; better && tries < kMaxTries;) {
        better = false;
        for (std::uint32_t a = 0; a < job_.quanta; ++a) {
            for (std::uint32_t b = a + 1; b < job_.quanta && tries < kMaxTries; ++b) {
                if (pricer_.alike(order.nodes[std::size_t{a} * job_.quantum],
                                  order.nodes[std::size_t{b} * job_.quantum])) {
                    continue;
                }
                ++tries;
                swap_quanta(order.nodes, a, b);
                const OrderCost cost = pricer_.price(order.nodes);
                if (cost < order.cost) {
                    order.cost = cost;
                    better = true;
                } else {
                    swap_quanta(order.nodes, a, b);
                }
            }
        }
    }
    return order.cost < before;
}

/// Whether some NVLink domain's nodes cannot stand for each other, and quanta are cut from it.
bool OrderChooser::uneven_domains(std::vector<NodeIndex> nodes) const {
    if (job_.quantum == 1) {
        return false;
    }
    const auto domain = [&](NodeIndex node) { return tables_.fabric.node(node).domain; };
    std::ranges::sort(nodes, {}, domain);
    return std::ranges::adjacent_find(nodes, [&](NodeIndex a, NodeIndex b) {
               return domain(a) == domain(b) && !pricer_.alike(a, b);
           }) != nodes.end();
}

/// Cuts NVLink domains into other quanta, as long as that helps; whether it did.
bool OrderChooser::exchange_nodes(PricedOrder& order) {
    const OrderCost before = order.cost;
    const auto domain = [&](NodeIndex node) { return tables_.fabric.node(node).domain; };
    int tries = 0;
    for (bool better = true; better && tries < kMaxTries;) {
        better = false;
        for (std::size_t a = 0; a < order.nodes.size(); ++a) {
            for (std::size_t b = a + 1; b < order.nodes.size() && tries < kMaxTries; ++b) {
                if (domain(order.nodes[a]) != domain(order.nodes[b]) ||
                    pricer_.alike(order.nodes[a], order.nodes[b])) {
                    continue;
                }
                ++tries;
                std::swap(order.nodes[a], order.nodes[b]);
                const OrderCost cost = pricer_.price(order.nodes);
                if (cost < order.cost) {
                    order.cost = cost;
                    better = true;
                } else {
                    std::swap(order.nodes[a], order.nodes[b]);
                }
            }
        }
    }
    return order.cost < before;
}

bool OrderChooser::exchanges() const {
    const bool small = job_.quanta > 2 && job_.quanta <= kMaxExchanged;
    const bool kept = light_pipeline() && job_.next_stage > 0;
    return small && !kept;
}

bool OrderChooser::permutes() const {
    return job_.quanta > 2 && job_.quanta <= kMaxPermuted;
}

/// Every order, as far as quanta are not alike.
void OrderChooser::permute(PricedOrder& best) {
    const std::vector<NodeIndex> nodes = best.nodes;
    const auto quantum = [&](std::uint32_t i) {
        return std::span(nodes).subspan(std::size_t{i} * job_.quantum, job_.quantum);
    };
    // A quantum bears the number of the first one that is like it.
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < job_.quanta; ++i) {
        std::uint32_t like = 0;
        while (!pricer_.alike(quantum(like), quantum(i))) {
            ++like;
        }
        order.push_back(like);
    }
    const std::vector<std::uint32_t> kinds = order;
    std::sort(order.begin(), order.end());
    std::vector<NodeIndex> tried;
    do {
        std::vector<std::uint32_t> next(job_.quanta, 0);  // [kind] where to look for one more
        tried.clear();
        for (std::uint32_t kind : order) {
            std::uint32_t& i = next[kind];
            while (kinds[i] != kind) {
                ++i;
            }
            const auto some = quantum(i++);
            tried.insert(tried.end(), some.begin(), some.end());
        }
        const OrderCost cost = pricer_.price(tried);
        if (cost < best.cost) {
            best = {tried, cost};
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

PricedOrder OrderChooser::choose_better(const std::vector<NodeIndex>& nodes) {
    PricedOrder best = choose(nodes);
    if (job_.quanta <= kMaxExchanged && whole(nodes)) {
        const bool uneven = uneven_domains(nodes);
        while (exchange(best) | (uneven && exchange_nodes(best))) {
        }
    }
    return best;
}

PricedOrder OrderChooser::choose_well(const std::vector<NodeIndex>& nodes) {
    PricedOrder best = choose(nodes);
    if (!whole(nodes)) {
        return best;
    }
    const bool uneven = job_.quanta <= kMaxExchanged && uneven_domains(nodes);
    if (permutes()) {
        do {
            permute(best);
        } while (uneven && exchange_nodes(best));
        return best;
    }
    PricedOrder other = best;
    if (exchanges()) {
        exchange(other);
    }
    if (uneven) {
        exchange_nodes(other);
    }
    return other.cost + best.cost / kWorthwhile < best.cost ? other : best;
}

}  // namespace yardmaster
