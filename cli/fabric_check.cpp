#include "cli/fabric_check.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/fabric_findings.hpp"
#include "cli/fabric_summary.hpp"
#include "cli/node_sets.hpp"
#include "cli/words.hpp"
#include "topology/fabric_warnings.hpp"

namespace yardmaster::cli {
namespace {

void append(std::vector<FabricFinding> more, std::vector<FabricFinding>& findings) {
    std::move(more.begin(), more.end(), std::back_inserter(findings));
}

std::vector<FabricFinding> offline_findings(const Fabric& fabric) {
    std::vector<NodeIndex> order;
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        order.push_back(NodeIndex(i));
    }
    return check_node_order(fabric, in_name_order(fabric, order), "Slurm's order by name");
}

ExitCode report_broken(const FabricCheckOptions& options,
                       const Status& error,
                       const Console& console) {
    const bool answered =
        error.code() == ErrorCode::kMalformed || error.code() == ErrorCode::kUnsupported;
    if (options.json && answered) {
        JsonValue json = JsonValue::object();
        json.set("valid", false).set("error", error.message());
        console.out << json.dump() << '\n';
        return kExitFindings;
    }
    const ExitCode code = fail(console, error);
    return answered ? kExitFindings : code;
}

void print_text(const Fabric& fabric,
                const std::vector<FabricFinding>& findings,
                const FabricCheckOptions& options,
                std::ostream& out) {
    out << options.file << ": " << count_of(fabric.nodes().size(), "node") << "\n\n";
    print_summary(fabric, out);
    out << '\n';
    for (const FabricFinding& finding : findings) {
        out << (finding.warning ? "warning: " : "note: ") << finding.text << '\n';
    }
    if (findings.empty()) {
        out << (options.live ? "The file is right, and Slurm's nodes agree with it.\n"
                             : "The file is right.\n");
    }
}

void print_json(const Fabric& fabric,
                const std::vector<FabricFinding>& findings,
                const FabricCheckOptions& options,
                std::ostream& out) {
    JsonValue list = JsonValue::array();
    for (const FabricFinding& finding : findings) {
        JsonValue entry = JsonValue::object();
        entry.set("level", finding.warning ? "warning" : "note").set("text", finding.text);
        list.append(std::move(entry));
    }
    JsonValue json = JsonValue::object();
    json.set("valid", true)
        .set("file", options.file)
        .set("live", options.live)
        .set("summary", summary_to_json(fabric))
        .set("findings", std::move(list));
    out << json.dump() << '\n';
}

}  // namespace

ExitCode run_fabric_check(const FabricCheckOptions& options,
                          SlurmClient* slurm,
                          const Console& console) {
    const auto fabric = Fabric::load(options.file);
    if (!fabric) {
        return report_broken(options, fabric.status(), console);
    }
    std::vector<FabricFinding> findings;
    for (const std::string& warning : fabric_warnings(*fabric)) {
        findings.push_back({true, warning});
    }
    if (options.live) {
        const auto cluster = slurm->nodes();
        if (!cluster) {
            return fail(console, cluster.status());
        }
        append(findings_against_slurm(*fabric, *cluster), findings);
    } else {
        append(offline_findings(*fabric), findings);
    }
    const auto print = options.json ? &print_json : &print_text;
    print(*fabric, findings, options, console.out);
    const bool warned = std::any_of(
        findings.begin(), findings.end(), [](const auto& finding) { return finding.warning; });
    return warned ? kExitFindings : kExitOk;
}

}  // namespace yardmaster::cli
