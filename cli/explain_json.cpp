#include <utility>

#include "cli/explanation.hpp"
#include "cli/job_id.hpp"
#include "cli/node_sets.hpp"
#include "cli/weights_text.hpp"
#include "cli/words.hpp"
#include "topology/gpu_list.hpp"

namespace yardmaster::cli {
namespace {

JsonValue job_to_json(const Explanation& explanation) {
    const SlurmJob& job = explanation.job;
    JsonValue json = JsonValue::object();
    json.set("id", job_id_text(job))
        .set("name", job.name)
        .set("partition", job.partition)
        .set("user", user_name(job.uid))
        .set("state", job.state)
        .set("reason", job.reason)
        .set("start_time", job.start_time != 0 ? JsonValue(job.start_time) : JsonValue(nullptr))
        .set("num_nodes", job.num_nodes)
        .set("gpus_per_node", explanation.gpus_per_node)
        .set("hostlist", job.nodes.empty() ? JsonValue(nullptr) : host_expression(job.nodes));
    return json;
}

JsonValue receipt_to_json(const Receipt& receipt) {
    const auto known = [](double seconds) {
        return seconds > 0 ? JsonValue(seconds) : JsonValue(nullptr);
    };
    JsonValue json = JsonValue::object();
    json.set("chosen_by", receipt.chooser == Receipt::Chooser::kStock ? "slurm" : "yardmaster")
        .set("hints", receipt.hints.to_string())
        .set("refused_before", receipt.rank)
        .set("facts", facts_to_json(receipt.facts))
        .set("weights", receipt.weights.empty() ? JsonValue(nullptr) : JsonValue(receipt.weights))
        .set("gpus",
             receipt.gpus != 0 ? JsonValue(format_gpu_list(receipt.gpus)) : JsonValue(nullptr))
        .set("seconds", known(receipt.seconds))
        .set("best_seconds", known(receipt.best_seconds))
        .set("soft_degraded_taken", receipt.soft_taken)
        .set("soft_degraded_left", receipt.soft_left)
        .set("note", receipt.note);
    return json;
}

JsonValue split_to_json(const Fabric& fabric, const std::vector<SplitGroup>& split) {
    JsonValue json = JsonValue::array();
    for (const SplitGroup& group : split) {
        JsonValue entry = JsonValue::object();
        entry.set("group", group.group)
            .set("nodes", json_array_of(node_names(fabric, group.nodes)))
            .set("domains", json_array_of(group.domains));
        json.append(std::move(entry));
    }
    return json;
}

}  // namespace

JsonValue explanation_to_json(const Explanation& explanation, const Fabric* fabric) {
    JsonValue json = JsonValue::object();
    json.set("job", job_to_json(explanation))
        .set("placed", explanation.placed())
        .set("receipt",
             explanation.receipt ? receipt_to_json(*explanation.receipt) : JsonValue(nullptr))
        .set("judged_as",
             explanation.judged_as ? JsonValue(explanation.hints.to_string()) : JsonValue(nullptr));
    if (!explanation.receipt && explanation.placed()) {
        json.set("receipt_problem", explanation.receipt_problem);
    }
    if (fabric != nullptr && explanation.judgement) {
        const Judgement& judgement = *explanation.judgement;
        json.set("weights", weights_to_json(judgement.weights))
            .set("weights_mark", weights_mark(judgement.weights))
            .set("got", column_to_json(*fabric, judgement.got))
            .set("best_when_empty",
                 judgement.best ? column_to_json(*fabric, *judgement.best) : JsonValue(nullptr))
            .set(
                "slowdown",
                explanation.slowdown() > 0 ? JsonValue(explanation.slowdown()) : JsonValue(nullptr))
            .set("slowdown_then",
                 explanation.slowdown_then() > 0 ? JsonValue(explanation.slowdown_then())
                                                 : JsonValue(nullptr))
            .set("split_groups", split_to_json(*fabric, judgement.split));
    }
    json.set("not_in_fabric_file", json_array_of(explanation.unknown_nodes))
        .set("soft_degraded", json_array_of(explanation.soft_degraded))
        .set("given_up", json_array_of(explanation.given_up))
        .set("improvements", json_array_of(explanation.improvements));
    return json;
}

}  // namespace yardmaster::cli
