#include "prolog/environment.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

namespace yardmaster {
namespace {

constexpr unsigned kMaxGpuIndex = 1023;  // far above any node; bounds what a bad range can cost

std::string get(const Environment& environment, const char* name) {
    const char* value = environment(name);
    return value != nullptr ? value : "";
}

Status bad(const char* name, const std::string& value, const char* form) {
    return {ErrorCode::kInvalidArgument,
            std::string(name) + " is \"" + value.substr(0, 80) + "\", must be " + form};
}

template <typename Number>
bool parse_whole(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// Adds "4" or "4-6".
bool add_range(std::string_view text, std::vector<unsigned>& gpus) {
    const auto dash = text.find('-');
    unsigned low = 0;
    unsigned high = 0;
    if (!parse_whole(text.substr(0, dash), low) ||
        !parse_whole(dash == std::string_view::npos ? text : text.substr(dash + 1), high) ||
        low > high || high > kMaxGpuIndex) {
        return false;
    }
    for (unsigned gpu = low; gpu <= high; ++gpu) {
        gpus.push_back(gpu);
    }
    return true;
}

/// Whether `text` has nothing but what a host list is written with.
bool is_node_list(const std::string& text) {
    constexpr std::size_t kLongest = 65536;
    return text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) || std::string_view("._-[],").find(static_cast<char>(c)) !=
                                             std::string_view::npos;
           });
}

/// Configless daemons keep slurm.conf in <SlurmdSpoolDir>/conf-cache, commands find it through
/// /run/slurm/conf or in a file without a name (slurmd.c, read_config.c: _establish_config_source).
bool is_configless_copy(const std::string& slurm_conf) {
    return slurm_conf.ends_with("/conf-cache/slurm.conf") ||
           slurm_conf.starts_with("/run/slurm/conf/") || slurm_conf.starts_with("/proc/");
}

}  // namespace

bool has_gpus(const Environment& environment) {
    return !get(environment, "SLURM_JOB_GPUS").empty();
}

Result<std::vector<unsigned>> parse_gpu_list(const std::string& text) {
    std::vector<unsigned> gpus;
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        const bool last = comma == std::string_view::npos;
        if (!add_range(rest.substr(0, comma), gpus) || gpus.size() > 10 * (kMaxGpuIndex + 1)) {
            return bad("SLURM_JOB_GPUS", text, "a list of GPU indices such as 0,1,4-6");
        }
        rest.remove_prefix(last ? rest.size() : comma + 1);
    }
    std::sort(gpus.begin(), gpus.end());
    gpus.erase(std::unique(gpus.begin(), gpus.end()), gpus.end());
    return gpus;
}

bool is_node_name(const std::string& name) {
    return !name.empty() && name.size() <= 128 && name.front() != '.' && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return std::isalnum(c) || c == '.' || c == '_' || c == '-';
           });
}

std::string config_folder(const std::string& slurm_conf) {
    const std::string conf = is_configless_copy(slurm_conf) ? kDefaultSlurmConf : slurm_conf;
    return conf.substr(0, std::max<std::size_t>(conf.rfind('/'), 1));
}

Result<JobEnvironment> read_node_environment(const Environment& environment) {
    JobEnvironment job;
    const std::string id = get(environment, "SLURM_JOB_ID");
    if (!id.empty() && !parse_whole(id, job.job)) {
        return bad("SLURM_JOB_ID", id, "a job id");
    }
    job.node = get(environment, "SLURMD_NODENAME");
    if (!is_node_name(job.node)) {
        return bad("SLURMD_NODENAME", job.node, "a node name");
    }
    job.slurm_conf = get(environment, "SLURM_CONF");
    if (job.slurm_conf.empty()) {
        job.slurm_conf = kDefaultSlurmConf;
    }
    if (job.slurm_conf.front() != '/') {
        return bad("SLURM_CONF", job.slurm_conf, "an absolute path");
    }
    return job;
}

Result<JobEnvironment> read_environment(const Environment& environment) {
    auto job = read_node_environment(environment);
    if (!job) {
        return job.status();
    }
    if (job->job == 0) {
        return bad("SLURM_JOB_ID", get(environment, "SLURM_JOB_ID"), "a job id");
    }
    auto gpus = parse_gpu_list(get(environment, "SLURM_JOB_GPUS"));
    if (!gpus) {
        return gpus.status();
    }
    job->gpus = std::move(gpus).value();
    job->mig = get(environment, "CUDA_VISIBLE_DEVICES").find("MIG-") != std::string::npos;
    const std::string restarts = get(environment, "SLURM_JOB_RESTART_COUNT");
    if (!restarts.empty() && !parse_whole(restarts, job->restart_count)) {
        return bad("SLURM_JOB_RESTART_COUNT", restarts, "a number");
    }
    job->node_list = get(environment, "SLURM_NODELIST");
    if (!is_node_list(job->node_list)) {
        return bad("SLURM_NODELIST", job->node_list, "a host list such as hgx[01-04]");
    }
    return job;
}

}  // namespace yardmaster
