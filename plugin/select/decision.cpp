#include "plugin/select/decision.hpp"

#include <algorithm>
#include <iterator>

#include "plugin/select/attempts.hpp"
#include "plugin/select/future_plan.hpp"
#include "topology/hints.hpp"

namespace yardmaster {
namespace {

constexpr Moment kNow{Moment::Kind::kNow, 0};
constexpr Moment kPreempting{Moment::Kind::kPreempting, 0};
constexpr Moment kEver{Moment::Kind::kEver, 0};

bool may_preempt(const Question& question) {
    return question.test.preemptees != nullptr;
}

std::string chose_freely(std::uint32_t refused) {
    return "stock cons_tres refused the best " + std::to_string(refused) + " sets and chose freely";
}

/// Stock's own choice, from the nodes that could serve the job if no job may be preempted.
Answer choose_freely(Question& question, const NodeSet& usable, const Attempts& attempts) {
    Answer answer;
    answer.rank = attempts.refused;
    answer.note = attempts.refused > 0 ? chose_freely(attempts.refused) : attempts.why_none;
    if (may_preempt(question)) {
        answer.code = question.stock.ask_freely(true);
        return answer;
    }
    // Slurm wants every required node in the bitmap, and none that it did not offer.
    NodeSet required;
    std::set_intersection(question.supply.nodes().begin(),
                          question.supply.nodes().end(),
                          question.supply.required().begin(),
                          question.supply.required().end(),
                          std::back_inserter(required));
    NodeSet nodes;
    std::set_union(
        usable.begin(), usable.end(), required.begin(), required.end(), std::back_inserter(nodes));
    question.stock.accepts(nodes, false, false);
    answer.code = question.stock.code();
    return answer;
}

/// Whether any nodes of the fabric keep the hard hints: every TP group lies inside one node.
bool any_nodes_keep(const Demand& demand) {
    return !demand.hints.leaf && !demand.hints.rail &&
           quantum_nodes(demand.hints, demand.gpus_per_node) == 1;
}

/// As try_sets for hard hints. Where any nodes keep them, a refusal of the best sets is not the
/// last word: Slurm's topology plugin may want others (--segment, blocks across leaf groups).
Attempts try_hard(Question& question, const NodeSet& usable, bool with_preemptees) {
    Attempts attempts = try_sets(question, usable, with_preemptees);
    if (!attempts.accepted && attempts.refused > 0 && any_nodes_keep(question.demand)) {
        NodeSet known;
        std::copy_if(usable.begin(), usable.end(), std::back_inserter(known), [&](auto node) {
            return question.map.fabric_node(node).has_value();
        });
        attempts.accepted = attempts.freely = question.stock.accepts(known, with_preemptees, false);
    }
    return attempts;
}

/// The sets of now without preemption, then, for hard hints, those that preemption would make.
/// A soft wish never preempts: stock alone decides that in choose_freely.
Attempts try_now(Question& question, const NodeSet& usable) {
    if (!question.demand.hints.hard()) {
        return try_sets(question, usable, false);
    }
    Attempts attempts = try_hard(question, usable, false);
    if (!attempts.accepted && may_preempt(question)) {
        const std::uint32_t refused = attempts.refused;
        attempts = try_hard(question, question.supply.usable(question.demand, kPreempting), true);
        attempts.refused += refused;
    }
    return attempts;
}

Answer accepted(const Attempts& attempts) {
    return {0,
            !attempts.freely,
            attempts.refused,
            attempts.freely ? chose_freely(attempts.refused) : ""};
}

/// What stock said of a few nodes is no answer for the whole cluster; what it said of the job is.
Answer no_place(const Question& question, const Attempts& attempts) {
    const int code = question.stock.code();
    const bool of_the_job = code != 0 && !ym_code_concerns_nodes(code);
    return {of_the_job ? code : ym_code_nodes_busy(), false, attempts.refused, attempts.why_none};
}

}  // namespace

Question::Question(const ym_job_test& job_test,
                   const ym_job_info& info,
                   const Hints& hints,
                   const LoadedFabric& loaded_fabric,
                   const NodeMap& node_map,
                   NodeCounts& counts)
    : test(job_test),
      loaded(loaded_fabric),
      map(node_map),
      supply(job_test, counts),
      demand(read_demand(job_test, info, hints, supply.most_gpus(), supply.most_cpus())),
      stock(job_test),
      test_now_only(info.test_now_only) {}

Answer run_now(Question& question) {
    const NodeSet usable = question.supply.usable(question.demand, kNow);
    const Attempts attempts = try_now(question, usable);
    if (attempts.accepted) {
        return accepted(attempts);
    }
    return question.demand.hints.hard() ? no_place(question, attempts)
                                        : choose_freely(question, usable, attempts);
}

Answer test_only(Question& question) {
    question.demand.hints = Hints{};
    const NodeSet usable = question.supply.usable(question.demand, kEver);
    const Attempts attempts = try_sets(question, usable, false, 1);
    if (attempts.accepted) {
        return accepted(attempts);
    }
    return {question.stock.ask_freely(true), false, attempts.refused, ""};
}

Answer will_run(Question& question) {
    const NodeSet usable = question.supply.usable(question.demand, kNow);
    Attempts attempts;
    if (question.test.earliest == 0) {
        const NowOnly now_only(question.stock);
        attempts = try_now(question, usable);
    }
    if (attempts.accepted) {
        return accepted(attempts);
    }
    const bool hard = question.demand.hints.hard();
    if (!hard && may_preempt(question)) {
        return choose_freely(question, usable, attempts);
    }
    if (question.test_now_only) {
        return hard ? no_place(question, attempts) : choose_freely(question, usable, attempts);
    }
    if (plan_future(question)) {
        return accepted(attempts);
    }
    return hard ? no_place(question, attempts)
                : Answer{question.stock.ask_freely(false), false, attempts.refused, ""};
}

}  // namespace yardmaster
