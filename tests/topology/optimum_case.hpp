// The placer beside the optimum on random cases: the families of cases, and what came of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tests/topology/exhaustive.hpp"
#include "tests/topology/random_case.hpp"
#include "topology/placer.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster::testing_support {

/// Cases of one kind; the seed makes the case.
struct CaseFamily {
    const char* name;
    unsigned first_seed;
    unsigned count;  ///< of the unit test
    CaseRules rules;
};

inline const std::array kCaseFamilies = {
    CaseFamily{"rings", 1, 800, {.parallel = false}},
    CaseFamily{"all hints", 10001, 1000, {}},
    CaseFamily{
        "one tree", 20001, 700, {.most_nodes = 14, .several_roots = false, .leaf_hint = false}},
    CaseFamily{"weight classes", 30001, 600, {.classes = true}},
    CaseFamily{"exceptions", 40001, 600, {.exceptions = true}},
    CaseFamily{"spanning domains", 50001, 600, {.spanning = true}},
};

/// One random case, what the placer makes of it, and the optimum.
class OptimumCase {
  public:
    OptimumCase(unsigned seed, const CaseRules& rules)
        : random_(seed, rules),
          fabric_(random_.fabric()),
          weights_(random_.weights()),
          request_(random_.request(fabric_)),
          sizes_(*derive_parallelism(request_.hints, {request_.nodes, request_.gpus_per_node})),
          model_(fabric_, request_.gpus_per_node, sizes_, weights_),
          exhaustive_(fabric_, request_, model_),
          best_(exhaustive_.best()),
          candidates_(Placer(fabric_, weights_).propose(request_, {8, Patience::kPerson})) {}

    const Fabric& fabric() const { return fabric_; }
    const PlacementRequest& request() const { return request_; }
    const CostWeights& weights() const { return weights_; }
    /// None: no set is allowed.
    const std::optional<Best>& best() const { return best_; }
    const Result<std::vector<Candidate>>& candidates() const { return candidates_; }

    /// Cost of the placer's first set in its best order beside the optimum's; 1 is the least.
    double set_ratio() { return best_->cost > 0 ? own_cost() / best_->cost : 1; }
    /// Cost of that set in the order that is planned for it beside its best order.
    double order_ratio() {
        const auto plan =
            plan_ranks(fabric_, first(), request_.gpus_per_node, request_.hints, weights_);
        return own_cost() > 0 ? model_.cost(plan->order) / own_cost() : 1;
    }

  private:
    const NodeSet& first() const { return candidates_->front().nodes; }
    double own_cost() {
        if (!own_cost_) {
            own_cost_ = exhaustive_.cost_of(first());
        }
        return *own_cost_;
    }

    RandomCase random_;
    const Fabric fabric_;
    const CostWeights weights_;
    const PlacementRequest request_;
    const Parallelism sizes_;
    const StepModel model_;
    Exhaustive exhaustive_;
    const std::optional<Best> best_;
    const Result<std::vector<Candidate>> candidates_;
    std::optional<double> own_cost_;
};

/// What came of many cases. A ratio counts as above 1 from kRounding on.
struct OptimumTally {
    static constexpr double kRounding = 1e-9;
    static constexpr double kFar = 0.01;

    /// Ratios to the best, of sets or of orders.
    struct Ratios {
        unsigned dearer = 0;  ///< than the best at all
        unsigned far = 0;     ///< by more than kFar
        double worst = 1;
        unsigned worst_seed = 0;
        void add(double ratio, unsigned seed) {
            dearer += ratio > 1 + kRounding ? 1 : 0;
            far += ratio > 1 + kFar ? 1 : 0;
            if (ratio > worst) {
                worst = ratio;
                worst_seed = seed;
            }
        }
    };

    unsigned cases = 0;
    unsigned placed = 0;  ///< in these some set is allowed
    Ratios sets, orders;

    void add(unsigned seed, OptimumCase& one) {
        cases += 1;
        if (one.best() && one.candidates()) {
            placed += 1;
            sets.add(one.set_ratio(), seed);
            orders.add(one.order_ratio(), seed);
        }
    }
};

}  // namespace yardmaster::testing_support
