#include "prolog/job_nodes.hpp"

#include <algorithm>

#include "prolog/config_file.hpp"
#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

constexpr std::string_view kSocketOption = "socket=";

/// The names alone. A list that is none has no nodes to meet.
JobNodes names_of(const JobEnvironment& job) {
    JobNodes nodes;
    nodes.restarts = job.restart_count;
    auto names = expand_hostlist(job.node_list);
    if (names && std::all_of(names->begin(), names->end(), is_node_name) &&
        std::find(names->begin(), names->end(), job.node) != names->end()) {
        nodes.nodes = std::move(names).value();
    }
    return nodes;
}

/// The value of `key` that belongs to the place of `node` in `line`, or the one value for all
/// (several slurmds on one host); "" without any.
std::string value_of(const NodeLine& line, const std::string& node, const char* key) {
    const auto at = std::find(line.names.begin(), line.names.end(), node) - line.names.begin();
    const auto values = expand_hostlist(line.words.value_or(key, ""));
    if (!values || values->empty()) {
        return "";
    }
    const auto place = values->size() == 1 ? 0 : static_cast<std::size_t>(at);
    return place < values->size() ? (*values)[place] : "";
}

std::string address_of(const std::string& node, const SlurmConf& conf) {
    for (const NodeLine& line : conf.nodes) {
        if (std::find(line.names.begin(), line.names.end(), node) == line.names.end()) {
            continue;
        }
        const std::string address = value_of(line, node, "NodeAddr");
        const std::string host = value_of(line, node, "NodeHostname");
        return !address.empty() ? address : !host.empty() ? host : node;
    }
    return node;
}

/// AuthInfo=socket=/run/munge/munge.socket.2,ttl=60 (slurm.conf(5)); "" for munge's own default.
std::string munge_socket(const SlurmConf& conf) {
    for (const std::string& option : split(conf.settings.value_or("AuthInfo", ""), ',')) {
        if (lower_case(option.substr(0, kSocketOption.size())) == kSocketOption) {
            return option.substr(kSocketOption.size());
        }
    }
    return "";
}

/// Where and how `nodes` meet, as far as there are several.
void find_meeting(const SlurmConf& conf, JobNodes& nodes) {
    if (nodes.nodes.size() < 2) {
        return;
    }
    nodes.hub_address = address_of(nodes.nodes.front(), conf);
    nodes.munge_socket = munge_socket(conf);
    const std::string type = conf.settings.value_or("AuthType", "auth/munge");
    if (lower_case(type) != "auth/munge") {
        nodes.unknown = "AuthType is " + type + ": nodes know each other by munge only";
    }
}

}  // namespace

JobNodes job_nodes(const JobEnvironment& job, const SlurmConf& conf) {
    JobNodes nodes = names_of(job);
    find_meeting(conf, nodes);
    return nodes;
}

JobNodes read_job_nodes(const JobEnvironment& job,
                        const CrossPolicy& policy,
                        Clock::time_point deadline) {
    JobNodes nodes = names_of(job);
    const bool too_many = policy.mode == CheckMode::kAuto && nodes.nodes.size() > policy.max_nodes;
    if (policy.mode == CheckMode::kOff || nodes.nodes.size() < 2 || too_many) {
        return nodes;
    }
    const auto conf = read_slurm_conf(
        job.slurm_conf, [&](const std::string& file) { return read_config_file(file, deadline); });
    if (conf) {
        find_meeting(*conf, nodes);
    } else {
        nodes.unknown = conf.status().message();
    }
    return nodes;
}

}  // namespace yardmaster
