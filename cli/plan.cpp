#include "cli/plan.hpp"

#include <utility>
#include <vector>

#include "cli/kind_table.hpp"
#include "cli/node_sets.hpp"
#include "cli/picture_text.hpp"
#include "cli/placement_report.hpp"
#include "cli/plan_request.hpp"
#include "cli/site_policy.hpp"
#include "cli/weights_text.hpp"
#include "cli/what_if.hpp"
#include "cli/words.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster::cli {
namespace {

struct Plan {
    const PlanOptions& options;
    const Fabric& fabric;
    const CostWeights& weights;
    const PlanRequest& request;
    std::vector<PlacementColumn> candidates;
    PlacementColumn first_fit;  ///< no nodes: too few are free
};

ExitCode report_infeasible(const PlanOptions& options, const Status& why, const Console& console) {
    const bool for_ever = why.code() == ErrorCode::kInfeasible;
    if (options.json) {
        JsonValue json = JsonValue::object();
        json.set("placed", false).set("ever_possible", !for_ever).set("reason", why.message());
        console.out << json.dump() << '\n';
    } else {
        console.out << (for_ever ? "Can never be placed on this fabric: "
                                 : "Cannot be placed now: ")
                    << why.message() << '\n';
    }
    return kExitFindings;
}

void print_alternatives(const Plan& plan, const Console& console) {
    for (std::size_t i = 1; i < plan.candidates.size(); ++i) {
        const auto& other = plan.candidates[i];
        const auto why = deciding_criterion(plan.candidates[0].score, other.score);
        console.out << "Candidate " << i + 1 << ": "
                    << host_expression(node_names(plan.fabric, other.nodes)) << "\n  behind by "
                    << why.value_or("nothing but its place in the fabric file") << '\n';
    }
    console.out << "First fit by name: "
                << (plan.first_fit.nodes.empty()
                        ? "too few free nodes"
                        : host_expression(node_names(plan.fabric, plan.first_fit.nodes)))
                << '\n';
}

/// The order that suits the job's groups, where Slurm's own is worse.
void print_rank_order(const Plan& plan, const Console& console) {
    const PlacementRequest& request = plan.request.request;
    const auto ranks = plan_ranks(plan.fabric,
                                  plan.candidates.front().nodes,
                                  request.gpus_per_node,
                                  request.hints,
                                  plan.weights);
    if (!ranks || ranks->order.size() < 2) {
        return;
    }
    if (ranks->given_is_as_good) {
        console.out << "Ranks in the order of names are as good as any known.\n";
        return;
    }
    const bool separate = no_link(plan.candidates.front().facts);
    console.out << "Ranks in this order "
                << (separate ? "cross less between fabrics"
                             : "take " + number(ranks->time.seconds()) + " s a step, not " +
                                   number(ranks->given_time.seconds()))
                << ": " << join(node_names(plan.fabric, ranks->order), ",") << '\n';
}

void print_plan(const Plan& plan, const Console& console) {
    const PlacementColumn& best = plan.candidates.front();
    std::vector<CellState> states = plan.request.states;
    for (NodeIndex node : best.nodes) {
        states[raw(node)] = CellState::kChosen;
    }
    console.out << request_text(plan.request.request) << '\n';
    print_weights(plan.weights, console.out);
    console.out << "Placed on " << host_expression(node_names(plan.fabric, best.nodes)) << "\n\n";
    draw_text(make_picture(plan.fabric, states), {console.unicode}, console.out);
    console.out << '\n';
    print_groups(plan.fabric, best.nodes, console.out);
    console.out << '\n';
    std::vector<PlacementColumn> columns = plan.candidates;
    if (!plan.first_fit.nodes.empty()) {
        columns.push_back(plan.first_fit);
    }
    print_columns(columns, console.out);
    console.out << '\n';
    print_rank_order(plan, console);
    print_alternatives(plan, console);
}

void print_json(const Plan& plan, const Console& console) {
    JsonValue candidates = JsonValue::array();
    for (const PlacementColumn& column : plan.candidates) {
        candidates.append(column_to_json(plan.fabric, column));
    }
    JsonValue json = JsonValue::object();
    json.set("placed", true)
        .set("nodes", plan.options.nodes)
        .set("gpus_per_node", plan.options.gpus_per_node)
        .set("hints", plan.request.request.hints.to_string())
        .set("weights", weights_to_json(plan.weights))
        .set("candidates", std::move(candidates))
        .set("first_fit",
             plan.first_fit.nodes.empty() ? JsonValue(nullptr)
                                          : column_to_json(plan.fabric, plan.first_fit));
    console.out << json.dump() << '\n';
}

Result<Plan> make_plan(const PlanOptions& options,
                       const Fabric& fabric,
                       const CostWeights& weights,
                       const PlanRequest& request) {
    const Placer placer(fabric, weights);
    const auto found = placer.propose(request.request, {options.candidates, Patience::kPerson});
    if (!found) {
        return found.status();
    }
    Plan plan{options, fabric, weights, request, {}, {}};
    for (const Candidate& candidate : *found) {
        const std::string title = "candidate " + std::to_string(plan.candidates.size() + 1);
        plan.candidates.push_back(
            make_column(title, fabric, placer, candidate.nodes, request.request));
    }
    const auto naive = first_fit(fabric, request.request);
    if (!naive.empty()) {
        plan.first_fit = make_column("first fit by name", fabric, placer, naive, request.request);
    }
    return plan;
}

ExitCode show_plan(const PlanOptions& options,
                   const Fabric& fabric,
                   const CostWeights& weights,
                   const PlanRequest& request,
                   const Console& console) {
    const auto plan = make_plan(options, fabric, weights, request);
    if (plan.status().code() == ErrorCode::kUnavailable) {
        return report_infeasible(options, plan.status(), console);
    }
    if (!plan) {
        return fail(console, plan.status());
    }
    options.json ? print_json(*plan, console) : print_plan(*plan, console);
    return kExitOk;
}

ExitCode show_what_if(const PlanOptions& options,
                      const Fabric& fabric,
                      const CostWeights& weights,
                      const PlanRequest& request,
                      const LiveCluster& live,
                      const Console& console) {
    const auto answer = ask_what_if(fabric, weights, request, live);
    if (answer.status().code() == ErrorCode::kUnavailable) {
        return report_infeasible(options, answer.status(), console);
    }
    if (!answer) {
        return fail(console, answer.status());
    }
    if (options.json) {
        JsonValue json = what_if_to_json(fabric, *answer);
        json.set("weights", weights_to_json(weights));
        console.out << json.dump() << '\n';
    } else {
        console.out << request_text(request.request) << '\n';
        print_weights(weights, console.out);
        print_what_if(fabric, request, *answer, console.unicode, console.out);
    }
    return answer->now ? kExitOk : kExitFindings;
}

/// Empty without --live.
Result<LiveCluster> ask_slurm(const PlanOptions& options, SlurmClient* slurm) {
    LiveCluster live;
    if (!options.live) {
        return live;
    }
    auto nodes = slurm->nodes();
    if (!nodes) {
        return nodes.status();
    }
    live.nodes = std::move(nodes).value();
    if (options.what_if) {
        auto jobs = slurm->jobs_on_nodes();
        if (!jobs) {
            return jobs.status();
        }
        live.jobs = std::move(jobs).value();
    }
    return live;
}

}  // namespace

ExitCode run_plan(const PlanOptions& options, SlurmClient* slurm, const Console& console) {
    const auto fabric = Fabric::load(options.fabric_file);
    if (!fabric) {
        return fail(console, fabric.status());
    }
    const auto weights = read_site_weights(options.policy_file);
    if (!weights) {
        return fail(console, weights.status());
    }
    const auto live = ask_slurm(options, slurm);
    if (!live) {
        return fail(console, live.status());
    }
    const auto request = make_plan_request(*fabric, options, options.live ? &live->nodes : nullptr);
    if (!request) {
        return fail(console, request.status());
    }
    const JobShape shape{options.nodes, options.gpus_per_node};
    Status status = check_feasible(request->request.hints, shape, *fabric);
    if (status.code() == ErrorCode::kInfeasible) {
        return report_infeasible(options, status, console);
    }
    if (!status) {
        return fail(console, status);
    }
    return options.what_if ? show_what_if(options, *fabric, *weights, *request, *live, console)
                           : show_plan(options, *fabric, *weights, *request, console);
}

}  // namespace yardmaster::cli
