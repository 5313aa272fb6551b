#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "cli/fabric_findings.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

using Cluster = std::unordered_map<std::string, const SlurmNode*>;

void only_in_file(const Fabric& fabric,
                  const Cluster& cluster,
                  std::vector<FabricFinding>& findings) {
    std::vector<std::string> names;
    for (const FabricNode& node : fabric.nodes()) {
        if (!cluster.contains(node.name)) {
            names.push_back(node.name);
        }
    }
    if (!names.empty()) {
        findings.push_back({true,
                            "in the fabric file but unknown to Slurm: " + host_expression(names) +
                                "; take them out, or add them to slurm.conf"});
    }
}

void only_in_slurm(const Fabric& fabric,
                   const std::vector<SlurmNode>& cluster,
                   std::vector<FabricFinding>& findings) {
    std::vector<std::string> with_gpus;
    std::vector<std::string> without;
    for (const SlurmNode& node : cluster) {
        if (!fabric.find(node.name)) {
            (node.gpus > 0 ? with_gpus : without).push_back(node.name);
        }
    }
    if (!with_gpus.empty()) {
        findings.push_back({true,
                            "GPU nodes that the fabric file lacks: " + host_expression(with_gpus) +
                                "; jobs with hints will never be placed there"});
    }
    if (!without.empty()) {
        findings.push_back(
            {false,
             "nodes without GPUs that the fabric file leaves out: " + host_expression(without)});
    }
}

void gpu_counts(const Fabric& fabric,
                const Cluster& cluster,
                std::vector<FabricFinding>& findings) {
    // One finding a kind of difference, however many nodes share it.
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<std::string>> kinds;
    for (const FabricNode& node : fabric.nodes()) {
        const auto found = cluster.find(node.name);
        const NodeType& type = fabric.types()[node.type];
        if (found != cluster.end() && found->second->gpus != type.gpus) {
            kinds[{type.name, type.gpus, found->second->gpus}].push_back(node.name);
        }
    }
    for (const auto& [kind, names] : kinds) {
        const auto& [type, in_file, in_slurm] = kind;
        findings.push_back({true,
                            host_expression(names) + ": type " + type + " has " +
                                count_of(in_file, "GPU") + ", but Slurm's Gres says " +
                                std::to_string(in_slurm) + "; correct one of them"});
    }
}

}  // namespace

std::vector<FabricFinding> compare_with_slurm(const Fabric& fabric,
                                              const std::vector<SlurmNode>& cluster) {
    Cluster by_name;
    for (const SlurmNode& node : cluster) {
        by_name.emplace(node.name, &node);
    }
    std::vector<FabricFinding> findings;
    only_in_file(fabric, by_name, findings);
    only_in_slurm(fabric, cluster, findings);
    gpu_counts(fabric, by_name, findings);
    return findings;
}

std::vector<FabricFinding> findings_against_slurm(const Fabric& fabric,
                                                  const std::vector<SlurmNode>& cluster) {
    std::vector<NodeIndex> order;
    for (const SlurmNode& node : cluster) {
        if (const auto index = fabric.find(node.name)) {
            order.push_back(*index);
        }
    }
    auto findings = compare_with_slurm(fabric, cluster);
    for (FabricFinding& finding :
         check_node_order(fabric, order, "the order of slurmctld's nodes")) {
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace yardmaster::cli
