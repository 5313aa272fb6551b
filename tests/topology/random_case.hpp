// Small random fabrics and requests, for comparisons with an optimum.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/topology/fabric_maker.hpp"
#include "topology/placer.hpp"

namespace yardmaster::testing_support {

/// What a random case may contain.
struct CaseRules {
    std::uint32_t most_nodes = 11;  ///< about: a leaf group cannot be empty
    std::uint32_t most_quanta = 6;
    bool parallel = true;     ///< cp, ep and pp
    bool classes = false;     ///< node weight classes
    bool spanning = false;    ///< NVLink domains over several leaf groups
    bool exceptions = false;  ///< slow, missing and miscabled NICs
    bool several_roots = true;
    bool leaf_hint = true;
};

class RandomCase {
  public:
    static constexpr std::uint16_t kGpus = 2;

    RandomCase(unsigned seed, const CaseRules& rules) : random_(seed), rules_(rules) {}

    std::uint32_t pick(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(random_() % (high - low + 1));
    }
    bool chance(std::uint32_t percent) { return pick(1, 100) <= percent; }

    /// Trees of up to three tiers; domains of 1 to 5 nodes.
    Fabric fabric() {
        FabricMaker maker(kGpus, true);
        left_ = rules_.most_nodes;
        for (std::uint32_t root = rules_.several_roots ? pick(1, 3) : 1; root > 0 && left_ > 0;
             --root) {
            if (rules_.several_roots && chance(30)) {
                leaf(maker, std::nullopt);
                continue;
            }
            tree(maker);
        }
        if (rules_.several_roots && chance(15)) {
            domains(maker, maker.nodes(pick(1, 2)));
        }
        if (rules_.spanning && spare_.size() > 1) {
            maker.domain(spare_);
        }
        return maker.make();
    }

    CostWeights weights() {
        CostWeights weights;
        weights.tokens_per_replica *= std::vector<double>{0.2, 1, 1, 5, 30}[pick(0, 4)];
        return weights;
    }

    PlacementRequest request(const Fabric& fabric) {
        PlacementRequest request;
        request.gpus_per_node = kGpus;
        const std::uint32_t quantum = chance(50) ? 1 : pick(1, 3);
        const std::uint32_t most = std::max<std::uint32_t>(
            1,
            std::min<std::uint32_t>(rules_.most_quanta,
                                    static_cast<std::uint32_t>(fabric.nodes().size()) / quantum));
        const std::uint32_t quanta = pick(std::min(2u, most), most);
        request.nodes = quanta * quantum;
        std::uint32_t in_node = 1;
        if (quantum > 1 || chance(70)) {
            request.hints.tp = kGpus * quantum;
        } else {
            in_node = kGpus;
        }
        if (rules_.parallel) {
            // Groups that cut through nodes are placed by an estimate, so they are left out here.
            request.hints.pp = divisor(quanta);
            const std::uint32_t stage = quanta / *request.hints.pp;
            request.hints.ep = chance(30) ? in_node * divisor(stage) : 1;
            request.hints.cp = chance(30) ? in_node * divisor(stage) : 1;
        }
        request.hints.leaf = rules_.leaf_hint && chance(10);
        offers(fabric, request);
        return request;
    }

  private:
    double over() { return 1 + 0.5 * pick(0, 4); }

    std::uint32_t divisor(std::uint32_t of) {
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 1; i <= of; ++i) {
            if (of % i == 0) {
                all.push_back(i);
            }
        }
        return all[pick(0, static_cast<std::uint32_t>(all.size()) - 1)];
    }

    void offers(const Fabric& fabric, PlacementRequest& request) {
        const std::uint32_t usable = pick(60, 100);
        for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
            NodeOffer offer;
            offer.usable = chance(usable);
            offer.required = offer.usable && chance(3);
            offer.part_used = chance(20);
            offer.weight_class = rules_.classes ? static_cast<std::uint16_t>(pick(0, 2)) : 0;
            request.offers.push_back(offer);
        }
    }

    void tree(FabricMaker& maker) {
        const UnitIndex core = maker.unit();
        for (std::uint32_t child = pick(1, 3); child > 0; --child) {
            if (chance(40)) {
                leaf(maker, core);
                continue;
            }
            const UnitIndex pod = maker.unit(core, over());
            for (std::uint32_t leaves = pick(1, 3); leaves > 0; --leaves) {
                leaf(maker, pod);
            }
        }
    }

    void domains(FabricMaker& maker, std::vector<std::string> names) {
        while (!names.empty()) {
            const std::size_t size = std::min<std::size_t>(names.size(), pick(1, 5));
            const std::vector<std::string> part(names.begin(),
                                                names.begin() + static_cast<std::ptrdiff_t>(size));
            names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(size));
            if (rules_.spanning && chance(40)) {
                spare_.insert(spare_.end(), part.begin(), part.end());
            } else if (size > 1 || chance(20)) {
                maker.domain(part);
            }
        }
    }

    void spoil(FabricMaker& maker, const std::string& node) {
        const auto gpu = static_cast<std::uint16_t>(pick(0, kGpus - 1));
        switch (pick(0, 2)) {
            case 0:
                maker.exception(node, gpu, Rail{"mlx5_" + std::to_string(gpu), 200});
                break;
            case 1:
                maker.exception(node, gpu, std::nullopt);
                break;
            default:
                maker.exception(node, gpu, Rail{"mlx5_" + std::to_string(kGpus - 1 - gpu), 400});
        }
    }

    void leaf(FabricMaker& maker, std::optional<UnitIndex> parent) {
        // A leaf group cannot be empty, so the last ones may go over the limit by one each.
        const std::uint32_t size = std::max(1u, std::min(left_, pick(1, 5)));
        left_ -= std::min(left_, size);
        const auto names = maker.leaf(parent, size, over());
        for (const std::string& node : names) {
            if (rules_.exceptions && chance(15)) {
                spoil(maker, node);
            }
        }
        domains(maker, names);
    }

    std::mt19937 random_;
    const CaseRules rules_;
    std::uint32_t left_ = 0;
    std::vector<std::string> spare_;
};

}  // namespace yardmaster::testing_support
