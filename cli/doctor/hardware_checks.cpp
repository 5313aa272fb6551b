// What the prolog needs of a node's hardware. slurmd drops the output of a prolog that succeeds, so
// a prolog that could not check anything says so in syslog alone; here it is said aloud.
#include <algorithm>

#include "cli/doctor/checks.hpp"
#include "cli/words.hpp"
#include "topology/hostlist.hpp"

namespace yardmaster::cli::doctor {
namespace {

bool is_about(const NodeLine& line, const std::string& node) {
    return line.names.empty() ||
           std::find(line.names.begin(), line.names.end(), node) != line.names.end();
}

/// "/dev/nvidia[0-3,5],/dev/x" -> its paths. expand_hostlist takes names only, so folders are kept
/// apart.
std::vector<std::string> expand_paths(const std::string& text) {
    std::vector<std::string> paths;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        depth += i < text.size() ? (text[i] == '[') - (text[i] == ']') : 0;
        if (i < text.size() && (text[i] != ',' || depth > 0)) {
            continue;
        }
        const std::string item = text.substr(begin, i - begin);
        const std::size_t name = item.rfind('/') + 1;  // 0 without a folder
        const auto names = expand_hostlist(item.substr(name));
        for (const std::string& one : names ? *names : std::vector<std::string>{}) {
            paths.push_back(item.substr(0, name) + one);
        }
        begin = i + 1;
    }
    return paths;
}

/// File= of this node's GPUs in gres.conf.
std::vector<std::string> gpu_files(const std::vector<NodeLine>& lines, const std::string& node) {
    std::vector<std::string> files;
    for (const NodeLine& line : lines) {
        if (is_about(line, node) && line.words.value_or("Name", "") == "gpu") {
            const auto paths = expand_paths(line.words.value_or("File", ""));
            files.insert(files.end(), paths.begin(), paths.end());
        }
    }
    return files;
}

void check_device_files(const Case& examined, Findings& findings) {
    const std::string conf = examined.beside_conf("gres.conf");
    const auto lines = read_gres_conf(
        conf, [&](const std::string& file) { return read_text(examined.host, file); });
    if (!lines) {
        findings.error("gpu-files",
                       {lines.status().message(), conf},
                       "slurmd cannot read it either: this node has no GPUs for Slurm",
                       "correct " + conf + ", then: systemctl restart slurmd");
        return;
    }
    std::vector<std::string> absent;
    const auto files = gpu_files(*lines, examined.node);
    for (const std::string& file : files) {
        const auto facts = look_at(examined.host, file);
        if (!facts || !facts->is_character_device) {
            absent.push_back(file);
        }
    }
    if (!absent.empty()) {
        findings.error("gpu-files",
                       {join(absent), conf},
                       "gres.conf names device files that this node lacks: slurmd does not start, "
                       "or registers with fewer GPUs and the node is drained",
                       "nvidia-smi -L; lspci -d 10de:; if a GPU is gone, a reboot or its "
                       "replacement; else correct " +
                           conf);
    } else if (!files.empty()) {
        findings.ok("gpu-files", {count_of(files.size(), "device file"), conf}, "all are there");
    }
}

void check_nvml(const Case& examined, const Report& report, Findings& findings) {
    const NvmlReading& nvml = report.readings.nvml;
    const std::string library = examined.policy->sources.nvml_library;
    if (nvml.loaded) {
        findings.ok(
            "nvml",
            {"driver " + nvml.driver + ", " + count_of(nvml.device_count.value, "GPU"), library},
            "the NVIDIA driver answers");
        return;
    }
    findings.error("nvml",
                   {nvml.error.empty() ? "no answer" : nvml.error, library},
                   "no GPU of this node can be checked: its jobs start unchecked",
                   "nvidia-smi; ldconfig -p | grep libnvidia-ml; install the driver's library "
                   "(Debian: libnvidia-ml1), or name it as nvml_library in " +
                       examined.our_file("yardmaster.json"));
}

void check_adapters(const Case& examined, const Report& report, Findings& findings) {
    if (report.scope.node_rails.empty()) {
        return;  // the fabric file promises none
    }
    const PortInventory& inventory = report.readings.inventory;
    const std::string folder = examined.policy->sources.sysfs_root + "/class/infiniband";
    if (!inventory.readable) {
        findings.error("adapters",
                       {inventory.error, folder},
                       "no RDMA device is to be seen: this node's rails cannot be checked",
                       "lspci | grep -i mellanox; modprobe mlx5_ib; ibv_devices");
        return;
    }
    std::vector<std::string> absent;
    for (const std::string& rail : report.scope.node_rails) {
        const auto& devices = inventory.devices;
        if (std::find(devices.begin(), devices.end(), rail) == devices.end()) {
            absent.push_back(rail);
        }
    }
    if (absent.empty()) {
        findings.ok("adapters",
                    {count_of(report.scope.node_rails.size(), "adapter"), folder},
                    "all adapters that the fabric file names are there");
        return;
    }
    findings.error(
        "adapters",
        {join(absent) + " absent; here are " + join(inventory.devices), folder},
        "the fabric file names adapters that this node lacks: they are gone, or called "
        "otherwise here",
        "ibv_devices; rdma link; correct the names in " + examined.our_file("fabric.json"));
}

std::string detail_of(const Report& report) {
    const Finding* first = primary(report.findings);
    return first == nullptr ? "" : sentence_of(*first);
}

void check_verdict(const Case& examined, const Report& report, Findings& findings) {
    const Seen seen{std::string(to_string(report.verdict)), examined.node};
    const std::string look = "yardmaster check --node " + examined.node;
    switch (report.verdict) {
        case Verdict::kHealthy:
            findings.ok("dry-run", seen, "the prolog's checks pass");
            return;
        case Verdict::kUnknown:
            findings.warning("dry-run",
                             seen,
                             "the prolog lets jobs start without having checked everything, and "
                             "only syslog says so: " +
                                 detail_of(report),
                             look + "; journalctl -t yardmaster-prolog");
            return;
        case Verdict::kDegraded:
            findings.error("dry-run",
                           seen,
                           "the prolog would drain this node: " + detail_of(report),
                           look + "; docs/drain-reasons.md says what to do about each");
            return;
    }
}

}  // namespace

void check_hardware(const Case& examined, Findings& findings) {
    if (!examined.roles.node || examined.node.empty() || !examined.policy) {
        return;  // said by check_fabric and check_policy
    }
    check_device_files(examined, findings);
    CheckOptions options;
    options.node = examined.node;
    options.fabric_file = examined.host.root + examined.our_file("fabric.json");
    if (const std::string policy = examined.our_file("yardmaster.json");
        look_at(examined.host, policy)) {
        options.policy_file = examined.host.root + policy;
    }
    const auto report = examined.host.check_node(options);
    if (report) {
        check_nvml(examined, *report, findings);
        check_adapters(examined, *report, findings);
        check_verdict(examined, *report, findings);
    } else if (report.status().code() == ErrorCode::kNotFound && examined.fabric) {
        findings.note("dry-run",
                      {report.status().message(), examined.node},
                      "by the fabric file this node has no GPUs, so the prolog has nothing to "
                      "check here");
    } else {
        findings.not_checked("dry-run",
                             {report.status().message(), examined.node},
                             "the prolog's checks could not be run",
                             "yardmaster check --node " + examined.node);
    }
}

}  // namespace yardmaster::cli::doctor
