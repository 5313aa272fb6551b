#include "plugin/select/future_plan.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "plugin/select/attempts.hpp"
#include "plugin/select/decision.hpp"
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
    std::time_t start = 0;
    std::uint32_t call = 0;  // which call of stock accepted it
};

NodeSet usable_at(const Question& question, std::time_t time) {
    return question.supply.usable(question.demand, {Moment::Kind::kAt, time});
}

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

Proposals sets_at(const Question& question, std::time_t time, std::uint32_t limit) {
    const NodeSet usable = usable_at(question, time);
    if (usable.size() < question.demand.nodes) {
        return {};
    }
    return propose(question.loaded.placer,
                   question.loaded.fabric,
                   question.map,
                   question.supply,
                   question.demand,
                   usable,
                   limit);
}

/// The first of `times` at which there is a set; nodes only become free, so this is monotone. There
/// is none before enough nodes are free, which is quick to tell, and often there is one right then.
std::vector<std::time_t>::const_iterator first_time(const Question& question,
                                                    const std::vector<std::time_t>& times) {
    const auto enough = std::partition_point(times.begin(), times.end(), [&](std::time_t time) {
        return usable_at(question, time).size() < question.demand.nodes;
    });
    const auto no_set = [&](std::time_t time) { return sets_at(question, time, 1).sets.empty(); };
    if (enough == times.end() || !no_set(*enough)) {
        return enough;
    }
    return std::partition_point(enough + 1, times.end(), no_set);
}

/// Has stock plan one of the sets of `time`; keeps the earliest plan in `best`.
void simulate(Question& question, std::time_t time, std::optional<Plan>& best) {
    const bool with_preemptees = question.test.preemptees != nullptr;
    for (const NodeSet& nodes : sets_at(question, time, kSetsAtATime).sets) {
        if (!question.stock.accepts(nodes, with_preemptees, true)) {
            continue;
        }
        const std::time_t start = ym_job_start_time(question.test.job);
        if (!best || start < best->start) {
            best = Plan{nodes, start, question.stock.calls()};
        }
        if (start <= time + kRoundingOfStock) {
            return;
        }
    }
}

/// Makes `plan` the last thing stock accepted.
bool settle(Question& question, const Plan& plan) {
    return question.stock.calls() == plan.call ||
           question.stock.accepts(plan.nodes, question.test.preemptees != nullptr, true);
}

}  // namespace

bool plan_future(Question& question) {
    // Without a GPU count we know too little of what ends when to beat stock's simulation.
    if (question.demand.least_gpus == 0 || !question.demand.nodes_fixed) {
        return false;
    }
    const Clock::time_point deadline = Clock::now() + kDeadline;
    const auto times = moments(question);
    const auto first = first_time(question, times);
    std::optional<Plan> best;
    auto time = first;
    for (int i = 0; i < kMostTimes && time != times.end() && Clock::now() < deadline; ++i) {
        simulate(question, *time, best);
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
    if (late && !question.demand.hints.hard()) {
        return false;  // a soft wish must not cost waiting time: stock plans for itself
    }
    return settle(question, *best);
}

}  // namespace yardmaster
