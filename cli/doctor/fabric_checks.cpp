// The fabric file: readable, sound, and about the nodes that Slurm has.
#include "cli/doctor/checks.hpp"
#include "cli/fabric_findings.hpp"
#include "cli/words.hpp"
#include "topology/fabric_warnings.hpp"

namespace yardmaster::cli::doctor {
namespace {

void add(const FabricFinding& finding, const std::string& file, Findings& findings) {
    const std::string remedy = "correct " + file +
                               " or slurm.conf, then: yardmaster fabric check " + "--live " + file +
                               " && scontrol reconfigure";
    if (finding.warning) {
        findings.warning("fabric", {"", file}, finding.text, remedy);
    } else {
        findings.note("fabric", {"", file}, finding.text);
    }
}

void unusable(const Case& examined, const std::string& file, Findings& findings) {
    const Status status = examined.fabric.status();
    const bool absent = status.code() == ErrorCode::kNotFound;
    findings.error("fabric",
                   {status.message(), file},
                   "without a usable fabric file jobs with hard hints wait, all others are placed "
                   "as stock Slurm does, and no rail can be checked",
                   absent ? "write the file (docs/fabric-file.md), then: yardmaster fabric check " +
                                file + " && scontrol reconfigure"
                          : "yardmaster fabric check " + file +
                                "; correct it, then: scontrol "
                                "reconfigure");
}

void check_against_slurm(const Case& examined, const std::string& file, Findings& findings) {
    if (!examined.controller) {
        findings.not_checked("fabric-nodes",
                             {"", file},
                             "slurmctld does not answer, so the file cannot be held against its "
                             "nodes",
                             "yardmaster fabric check --live " + file);
        return;
    }
    const auto compared = findings_against_slurm(*examined.fabric, examined.controller->nodes);
    for (const FabricFinding& finding : compared) {
        add(finding, file, findings);
    }
    if (compared.empty()) {
        findings.ok("fabric-nodes",
                    {count_of(examined.controller->nodes.size(), "node"), file},
                    "Slurm's nodes agree with the file");
    }
}

void unknown_node(const Case& examined, Findings& findings) {
    const auto nodes = nodes_on(examined.host, examined.conf);
    const std::string remedy = "yardmaster doctor node --node NAME";
    if (nodes.empty()) {
        findings.warning("fabric-node",
                         {examined.host.name, examined.conf.file},
                         "no NodeName line is about this host, so slurmd registers here only as a "
                         "dynamic node; nothing about its GPUs was checked",
                         "scontrol show node; correct NodeName= or NodeHostname= in " +
                             examined.conf.file + "; if the node has another name: " + remedy);
        return;
    }
    findings.not_checked("fabric-node",
                         {host_expression(nodes), examined.conf.file},
                         "several nodes are on this host; nothing about one of them was checked",
                         remedy);
}

void check_own_node(const Case& examined, const std::string& file, Findings& findings) {
    if (examined.node.empty()) {
        unknown_node(examined, findings);
    } else if (!examined.fabric->find(examined.node)) {
        findings.warning("fabric-node",
                         {examined.node, file},
                         "the fabric file does not name this node: jobs with hints are never "
                         "placed here, and its rails are not checked",
                         "add " + examined.node + " to " + file + ", then: scontrol reconfigure");
    } else {
        findings.ok("fabric-node", {examined.node, file}, "the fabric file names this node");
    }
}

}  // namespace

void check_fabric(const Case& examined, Findings& findings) {
    const std::string file = examined.our_file("fabric.json");
    if (!examined.fabric) {
        unusable(examined, file, findings);
        return;
    }
    findings.ok("fabric",
                {count_of(examined.fabric->nodes().size(), "node"), file},
                "can be read and is sound");
    for (const std::string& warning : fabric_warnings(*examined.fabric)) {
        add({true, warning}, file, findings);
    }
    if (examined.roles.controller) {
        check_against_slurm(examined, file, findings);
    }
    if (examined.roles.node) {
        check_own_node(examined, file, findings);
    }
}

}  // namespace yardmaster::cli::doctor
