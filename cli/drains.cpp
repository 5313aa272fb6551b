#include "cli/drains.hpp"

#include <utility>

#include "base/json_value.hpp"
#include "cli/site_policy.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "healthcheck/evidence.hpp"

namespace yardmaster::cli {
namespace {

void add_evidence(const std::string& directory, Drain& drain) {
    // The id comes out of a reason that anybody with operator rights may have written.
    if (!is_evidence_id(drain.reason->evidence_id)) {
        return;
    }
    const std::string file = directory + "/" + drain.reason->evidence_id + ".json";
    const auto evidence = load_evidence(file);
    if (!evidence) {
        return;
    }
    drain.evidence_file = file;
    drain.verdict = std::string(to_string(combine(evidence->report.findings)));
    if (const Finding* finding = primary(evidence->report.findings)) {
        drain.detail = sentence_of(*finding);
    }
}

/// Where the prolog of `node` keeps its evidence. A policy that cannot be read is the prolog's
/// trouble; here it only means that the file is looked for in the usual place.
std::string evidence_dir_of(const std::string& node) {
    const auto policy = read_site_policy("", node);
    return policy ? policy->evidence_dir : default_policy().evidence_dir;
}

Drain describe_drain(const SlurmNode& node, const std::string& evidence_dir) {
    Drain drain{node, parse_reason(node.reason), "", "", ""};
    if (drain.reason) {
        drain.detail = drain.reason->detail;
        add_evidence(evidence_dir.empty() ? evidence_dir_of(node.name) : evidence_dir, drain);
    }
    return drain;
}

std::string job_column(const Drain& drain) {
    if (!drain.reason) {
        return "?";
    }
    return drain.reason->job != 0 ? std::to_string(drain.reason->job) : "by hand";
}

void print_details(const std::vector<Drain>& drains, std::ostream& out) {
    for (const Drain& drain : drains) {
        out << '\n' << drain.node.name << ": ";
        if (!drain.reason) {
            out << "reason edited since: " << drain.node.reason << '\n';
            continue;
        }
        out << (drain.detail.empty() ? drain.reason->cause : drain.detail) << '\n';
        if (drain.reason->simulated) {
            out << "  SIMULATED hardware: a test or a demo, no real fault\n";
        }
        // The file is called by the id.
        out << "  evidence "
            << (drain.evidence_file.empty() ? drain.reason->evidence_id + " (on the node)"
                                            : drain.evidence_file + " (" + drain.verdict + ")")
            << '\n';
    }
}

void print_text(const DrainList& list, std::ostream& out) {
    if (list.ours.empty()) {
        out << "No node is drained by Yardmaster";
    } else {
        Table table({"NODE", "STATE", "SINCE", "BY", "JOB", "WHY"});
        for (const Drain& drain : list.ours) {
            table.add({drain.node.name,
                       drain.node.state,
                       time_text(drain.node.reason_time),
                       user_name(drain.node.reason_uid),
                       job_column(drain),
                       drain.reason ? drain.reason->cause : drain.node.reason});
        }
        table.print(out);
        print_details(list.ours, out);
        out << '\n' << count_of(list.ours.size(), "node") << " drained by Yardmaster";
    }
    out << "; " << count_of(list.others, "other node") << " drained by others.\n";
}

JsonValue drain_to_json(const Drain& drain) {
    const auto known = [&drain](auto value) {
        return drain.reason ? JsonValue(value(*drain.reason)) : JsonValue(nullptr);
    };
    const auto or_null = [](const std::string& text) {
        return text.empty() ? JsonValue(nullptr) : JsonValue(text);
    };
    JsonValue json = JsonValue::object();
    json.set("node", drain.node.name)
        .set("state", drain.node.state)
        .set("since", drain.node.reason_time)
        .set("by", user_name(drain.node.reason_uid))
        .set("uid", drain.node.reason_uid)
        .set("reason", drain.node.reason)
        .set("cause", known([](const DrainReason& reason) { return reason.cause; }))
        .set("job", known([](const DrainReason& reason) { return reason.job; }))
        .set("evidence_id", known([](const DrainReason& reason) { return reason.evidence_id; }))
        .set("simulated", known([](const DrainReason& reason) { return reason.simulated; }))
        .set("detail", or_null(drain.detail))
        .set("evidence_file", or_null(drain.evidence_file))
        .set("verdict", or_null(drain.verdict));
    return json;
}

void print_json(const DrainList& list, std::ostream& out) {
    JsonValue drains = JsonValue::array();
    for (const Drain& drain : list.ours) {
        drains.append(drain_to_json(drain));
    }
    JsonValue json = JsonValue::object();
    json.set("drains", std::move(drains)).set("drained_by_others", list.others);
    out << json.dump() << '\n';
}

}  // namespace

DrainList find_drains(const std::vector<SlurmNode>& cluster, const std::string& evidence_dir) {
    DrainList list;
    for (const SlurmNode& node : cluster) {
        if (!node.drained) {
            continue;
        }
        if (is_our_reason(node.reason)) {
            list.ours.push_back(describe_drain(node, evidence_dir));
        } else {
            ++list.others;
        }
    }
    return list;
}

ExitCode run_drains(const DrainsOptions& options, SlurmClient& slurm, const Console& console) {
    const auto cluster = slurm.nodes();
    if (!cluster) {
        return fail(console, cluster.status());
    }
    const DrainList list = find_drains(*cluster, options.evidence_dir);
    options.json ? print_json(list, console.out) : print_text(list, console.out);
    return list.ours.empty() ? kExitOk : kExitFindings;
}

}  // namespace yardmaster::cli
