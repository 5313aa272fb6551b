#include "plugin/select/future_plan.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "plugin/select/attempts.hpp"
#include "plugin/select/decision.hpp"
#include "plugin/select/gpu_choice.hpp"
#include "plugin/select/proposals.hpp"

namespace yardmaster {
namespace {

using Clock = std::chrono::steady_clock;

// Stock gives itself 2 s for one simulation (_will_run_test); slurmctld answers nobody meanwhile.
constexpr std::chrono::milliseconds kDeadline{500};
constexpr std::uint32_t kSetsAtATime = 3;
constexpr int kMostTimes = 6;
// _will_run_test first releases jobs in windows of 30 s, aligned to 30 s.
constexpr std::time_t kRoundingOfStock = 60;

struct Plan {
    NodeSet nodes;
    std::vector<GpuMask> keep;  // GPUs left to stock; empty: all
    std::time_t start = 0;
    std::uint32_t call = 0;  // which call of stock accepted it
};

/// The moments at which new sets can appear and that stock would plan for, ascending.
std::vector<std::time_t> moments(const Question& question) {
    const auto [earliest, latest_end] = std::pair(question.test.earliest, question.test.latest_end);
    std::vector<std::time_t> times = question.supply.end_times();
    std::erase_if(times, [&](std::time_t time) {
        return time <= earliest || (latest_end > 0 && time > latest_end);
    });
    if (earliest > 0) {
        times.insert(times.begin(), earliest);
    }
    return times;
}

/// What is planned for. Of a job with several possible extents, the one with the fewest nodes: it
/// has a place first, and RUN_NOW tries the others.
Demand demand_of(const Question& question) {
    if (question.shapes.empty()) {
        return question.demand;
    }
    const auto fewest = std::min_element(
        question.shapes.begin(), question.shapes.end(), [](const auto& a, const auto& b) {
            return a.nodes < b.nodes;
        });
    return fixed_at(question.demand, *fewest);
}

/// The search for one job's earliest start.
class FuturePlanner {
  public:
    explicit FuturePlanner(Question& question)
        : question_(question),
          demand_(demand_of(question)),
          with_preemptees_(question.test.preemptees != nullptr) {}

    const Demand& demand() const { return demand_; }

    /// The first of `times` at which there is a set; nodes only become free, so this is monotone.
    /// There is none before enough nodes are free, which is quick to tell, and often there is one
    /// right then.
    std::vector<std::time_t>::const_iterator first_time(
        const std::vector<std::time_t>& times) const {
        const auto enough = std::partition_point(times.begin(), times.end(), [&](std::time_t time) {
            return usable_at(time).nodes.size() < demand_.nodes;
        });
        const auto no_set = [&](std::time_t time) {
            return sets_of(usable_at(time), 1).sets.empty();
        };
        if (enough == times.end() || !no_set(*enough)) {
            return enough;
        }
        return std::partition_point(enough + 1, times.end(), no_set);
    }

    /// Has stock plan one of the sets of `time`; keeps the earliest plan in `best`.
    void simulate(std::time_t time, std::optional<Plan>& best) {
        const FreeNodes usable = usable_at(time);
        for (const NodeSet& nodes : sets_of(usable, kSetsAtATime).sets) {
            const auto keep = kept_gpus(nodes, usable);
            if (!question_.stock.accepts(nodes, with_preemptees_, true, keep)) {
                continue;
            }
            const std::time_t start = ym_job_start_time(question_.test.job);
            if (!best || start < best->start) {
                best = Plan{nodes, keep, start, question_.stock.calls()};
            }
            if (start <= time + kRoundingOfStock) {
                return;
            }
        }
    }

    /// Makes `plan` the last thing stock accepted.
    bool settle(const Plan& plan) {
        return question_.stock.calls() == plan.call ||
               question_.stock.accepts(plan.nodes, with_preemptees_, true, plan.keep);
    }

  private:
    FreeNodes usable_at(std::time_t time) const {
        return question_.usable(demand_, {Moment::Kind::kAt, time});
    }

    Proposals sets_of(const FreeNodes& usable, std::uint32_t limit) const {
        if (usable.nodes.size() < demand_.nodes) {
            return {};
        }
        return propose(question_.loaded.placer,
                       question_.loaded.fabric,
                       question_.map,
                       question_.supply,
                       demand_,
                       usable,
                       limit);
    }

    /// Only where the start depends on it: a wish for indices must not put a start off.
    std::vector<GpuMask> kept_gpus(const NodeSet& nodes, const FreeNodes& usable) const {
        if (!question_.may_hide || !demand_.needs_indices()) {
            return {};
        }
        return choose_gpus(nodes, usable, demand_, question_.loaded.fabric, question_.map, false)
            .keep;
    }

    Question& question_;
    const Demand demand_;
    const bool with_preemptees_;
};

}  // namespace

bool plan_future(Question& question) {
    FuturePlanner planner(question);
    // Without a GPU count we know too little of what ends when to beat stock's simulation.
    if (planner.demand().least_gpus == 0 || !planner.demand().nodes_fixed) {
        return false;
    }
    const Clock::time_point deadline = Clock::now() + kDeadline;
    const auto times = moments(question);
    const auto first = planner.first_time(times);
    std::optional<Plan> best;
    auto time = first;
    for (int i = 0; i < kMostTimes && time != times.end() && Clock::now() < deadline; ++i) {
        planner.simulate(*time, best);
        if (best) {
            break;
        }
        const auto step = std::ptrdiff_t{1} << i;  // 1, 2, 4, ... releases later
        time = times.end() - time > step ? time + step : times.end();
    }
    if (!best) {
        return false;
    }
    const bool late = best->start > *first + kRoundingOfStock;
    if (late && !question.demand.binds()) {
        return false;  // a soft wish must not cost waiting time: stock plans for itself
    }
    return planner.settle(*best);
}

}  // namespace yardmaster
