#include "cli/replay.hpp"

#include <algorithm>

#include "cli/output_file.hpp"
#include "cli/replay_report.hpp"
#include "cli/site_policy.hpp"
#include "cli/slurm_client.hpp"
#include "cli/weights_text.hpp"
#include "cli/words.hpp"
#include "replay/svg.hpp"
#include "replay/trace.hpp"

namespace yardmaster::cli {
namespace {

void print_text(const Placer& placer,
                const Fabric& fabric,
                const Trace& trace,
                const Comparison& comparison,
                std::ostream& out) {
    out << count_of(comparison.jobs.size(), "job") << " on "
        << count_of(fabric.nodes().size(), "node");
    if (trace.steps > 0) {
        out << "; " << count_of(trace.steps, "record") << " of job steps left out";
    }
    if (trace.never_ran > 0) {
        out << "; " << count_of(trace.never_ran, "job") << " that never ran left out";
    }
    out << '\n';
    print_weights(placer.weights(), out);
    out << '\n';
    print_comparison(fabric, comparison, out);
}

JsonValue to_json(const Placer& placer,
                  const Fabric& fabric,
                  const Trace& trace,
                  const Comparison& comparison) {
    JsonValue json = comparison_to_json(fabric, comparison);
    json.set("steps_left_out", trace.steps)
        .set("never_ran_left_out", trace.never_ran)
        .set("weights", weights_to_json(placer.weights()));
    return json;
}

ExitCode verdict(const Comparison& comparison) {
    const bool all_placed =
        std::all_of(comparison.runs.begin(), comparison.runs.end(), [](const PolicyRun& run) {
            return run.schedule.impossible.empty();
        });
    return comparison.refused.empty() && all_placed ? kExitOk : kExitFindings;
}

}  // namespace

ExitCode run_replay(const ReplayOptions& options, const Console& console) {
    const auto fabric =
        Fabric::load(options.fabric_file.empty() ? default_fabric_file() : options.fabric_file);
    if (!fabric) {
        return fail(console, fabric.status());
    }
    const auto trace = load_trace(options.trace_file);
    if (!trace) {
        return fail(console, trace.status());
    }
    const auto weights = read_site_weights(options.policy_file);
    if (!weights) {
        return fail(console, weights.status());
    }
    const Placer placer(*fabric, *weights);
    const auto comparison = compare_policies(
        *fabric, placer, trace->jobs, options.policies.empty() ? policy_names() : options.policies);
    if (!comparison) {
        return fail(console, comparison.status());
    }
    if (!options.svg_file.empty()) {
        const std::string picture = draw_svg(*fabric, *comparison);
        if (Status status = write_output(options.svg_file, picture, console); !status) {
            return fail(console, status);
        }
    }
    if (options.json) {
        console.out << to_json(placer, *fabric, *trace, *comparison).dump() << '\n';
    } else {
        print_text(placer, *fabric, *trace, *comparison, console.out);
    }
    return verdict(*comparison);
}

}  // namespace yardmaster::cli
