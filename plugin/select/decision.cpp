#include "plugin/select/decision.hpp"

#include <algorithm>
#include <iterator>

#include "plugin/select/attempts.hpp"
#include "plugin/select/future_plan.hpp"
#include "plugin/select/gpu_choice.hpp"
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
Answer choose_freely(Question& question, const Attempts& attempts) {
    Answer answer;
    answer.rank = attempts.refused;
    answer.note = attempts.refused > 0 ? chose_freely(attempts.refused) : attempts.why_none;
    answer.first = attempts.first;
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
    const NodeSet usable = question.supply.usable(question.demand, kNow).nodes;
    NodeSet nodes;
    std::set_union(
        usable.begin(), usable.end(), required.begin(), required.end(), std::back_inserter(nodes));
    question.stock.accepts(nodes, false, false);
    answer.code = question.stock.code();
    return answer;
}

/// Whether any nodes of the fabric keep what binds the job: every TP group lies inside one node.
bool any_nodes_keep(const Demand& demand) {
    return demand.hints.hard() && !demand.hints.leaf && !demand.hints.rail &&
           demand.most_leaf_groups == 0 && quantum_nodes(demand.hints, demand.gpus_per_node) == 1;
}

/// The placer's sets of `moment`. Where any nodes keep a hard hint, a refusal of the best sets is
/// not the last word: Slurm's topology plugin may want others (--segment, blocks across leaf
/// groups).
Attempts try_at(Question& question, const Moment& moment) {
    Attempts attempts = try_shapes(question, moment);
    if (attempts.accepted || attempts.refused == 0 || !question.shapes.empty() ||
        !any_nodes_keep(question.demand)) {
        return attempts;
    }
    const NodeSet usable = question.usable(question.demand, moment).nodes;
    NodeSet known;
    std::copy_if(usable.begin(), usable.end(), std::back_inserter(known), [&](auto node) {
        return question.map.fabric_node(node).has_value();
    });
    const bool with_preemptees = moment.kind == Moment::Kind::kPreempting;
    attempts.accepted = attempts.freely = question.stock.accepts(known, with_preemptees, false);
    return attempts;
}

/// The sets of now without preemption, then, for hard hints, those that preemption would make.
/// A soft wish never preempts: stock alone decides that in choose_freely.
Attempts try_now(Question& question) {
    if (!question.why_no_shape.empty()) {
        Attempts none;
        none.why_none = question.why_no_shape;
        return none;
    }
    Attempts attempts = try_at(question, kNow);
    if (!attempts.accepted && question.demand.hints.hard() && may_preempt(question)) {
        const Attempts without = attempts;
        attempts = try_at(question, kPreempting);
        attempts.refused += without.refused;
        if (without.refused > 0) {
            attempts.first = without.first;
        }
    }
    return attempts;
}

Answer accepted(const Attempts& attempts) {
    return {0,
            !attempts.freely,
            attempts.refused,
            attempts.freely ? chose_freely(attempts.refused) : attempts.note,
            attempts.gpus,
            attempts.first};
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
      stock(job_test, supply.nodes()),
      test_now_only(info.test_now_only),
      may_hide(test.mode != YM_MODE_TEST_ONLY &&
               !(test.mode == YM_MODE_WILL_RUN && ym_conf_plans_read_only())),
      size(size_of(job_test, info)) {
    if (test.mode == YM_MODE_TEST_ONLY) {
        return;  // it enforces no hint
    }
    demand.most_leaf_groups = ym_job_switch_limit(test.job);
    if (demand.whole_node && hints.rail) {
        demand.indices = supply.gpus_of_alike(demand.gpus_per_node, demand.nodes);
    }
    if (hints.hard() && !demand.nodes_fixed) {
        JobSize from = size;
        from.min_nodes = from.as_many_as_possible ? from.min_nodes : demand.nodes;
        auto found = shapes_of(from, hints, loaded.fabric);
        why_no_shape = found.status().message();
        shapes = found ? std::move(found).value() : std::vector<JobShape>{};
    }
    const bool part_of_node = demand.indices > 0 && demand.indices < supply.most_gpus();
    if (hints.rail || !shapes.empty() || (demand.maskable && part_of_node)) {
        supply.read_gpu_masks(demand, shapes.empty());
    }
}

FreeNodes Question::usable(const Demand& wanted, const Moment& moment) const {
    FreeNodes free = supply.usable(wanted, moment);
    restrict_gpus(free, wanted, loaded.fabric, map, moment.kind == Moment::Kind::kNow);
    return free;
}

Answer run_now(Question& question) {
    const Attempts attempts = try_now(question);
    if (attempts.accepted) {
        return accepted(attempts);
    }
    return question.demand.binds() ? no_place(question, attempts)
                                   : choose_freely(question, attempts);
}

Answer test_only(Question& question) {
    question.demand.hints = Hints{};
    const Attempts attempts = try_sets(question, question.demand, kEver, 1);
    if (attempts.accepted) {
        return accepted(attempts);
    }
    return {question.stock.ask_freely(true), false, attempts.refused, ""};
}

Answer will_run(Question& question) {
    Attempts attempts;
    if (question.test.earliest == 0) {
        const NowOnly now_only(question.stock);
        attempts = try_now(question);
    }
    if (attempts.accepted) {
        return accepted(attempts);
    }
    const bool hard = question.demand.binds();
    if (!hard && may_preempt(question)) {
        return choose_freely(question, attempts);
    }
    if (question.test_now_only) {
        return hard ? no_place(question, attempts) : choose_freely(question, attempts);
    }
    if (plan_future(question)) {
        return accepted(attempts);
    }
    return hard ? no_place(question, attempts)
                : Answer{question.stock.ask_freely(false), false, attempts.refused, ""};
}

}  // namespace yardmaster
