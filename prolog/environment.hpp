// What slurmd tells a prolog through its environment. Users can influence parts of it, so every
// value is checked before it is used, and none ever reaches a shell.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "base/variable_text.hpp"

namespace yardmaster {

/// Looks an environment variable up; nullptr when it is not set (as getenv).
using Environment = std::function<const char*(const char* name)>;

struct JobEnvironment {
    std::uint32_t job = 0;            ///< SLURM_JOB_ID
    std::string node;                 ///< SLURMD_NODENAME: letters, digits, '.', '_', '-'
    std::vector<unsigned> gpus;       ///< SLURM_JOB_GPUS: gres indices, ascending; empty: no GPU
    bool mig = false;                 ///< CUDA_VISIBLE_DEVICES names MIG slices ("MIG-...")
    std::uint32_t restart_count = 0;  ///< SLURM_JOB_RESTART_COUNT; 0 when not set
    std::string node_list;            ///< SLURM_NODELIST: a host list; "" when there is none
    std::string slurm_conf;           ///< SLURM_CONF, an absolute path; default below
};
inline constexpr const char* kDefaultSlurmConf = "/etc/slurm/slurm.conf";

/// Every variable that is looked up, for people. PATH and the rest play no part.
inline constexpr VariableText kPrologVariables[] = {
    {"SLURM_JOB_GPUS",
     "The job's GPUs on this node. Not set: the job has none, nothing is checked."},
    {"SLURM_JOB_ID", "The job."},
    {"SLURMD_NODENAME", "This node's name in Slurm."},
    {"CUDA_VISIBLE_DEVICES", "Tells MIG slices (`MIG-...`), which cannot be judged as GPUs."},
    {"SLURM_JOB_RESTART_COUNT", "How often the job was requeued; the breaker asks."},
    {"SLURM_NODELIST", "The job's nodes, whose prologs meet. Not set: they do not."},
    {"SLURM_CONF",
     "slurm.conf, with `gres.conf` beside it; `fabric.json` and `yardmaster.json` are read from "
     "its folder, on a configless "
     "node from `/etc/slurm`. Not set: `/etc/slurm/slurm.conf`."},
};

/// Whether the job has GPUs on this node at all; the cheapest question, asked first.
bool has_gpus(const Environment& environment);

/// kInvalidArgument naming the variable, its value and the form it must have.
Result<JobEnvironment> read_environment(const Environment& environment);

/// The same without GPUs, for a HealthCheckProgram, to which slurmd tells nothing but the node's
/// name (22.05 and 24.11, run_script_health_check), and for an Epilog. `job` is 0 when there is
/// none.
Result<JobEnvironment> read_node_environment(const Environment& environment);

/// "0,1,4-6" -> {0, 1, 4, 5, 6}, ascending, without repeats; at most 1024 indices.
Result<std::vector<unsigned>> parse_gpu_list(const std::string& text);

/// Whether `name` can be a Slurm node name, and so is safe as a part of a path.
bool is_node_name(const std::string& name);

/// Where fabric.json and yardmaster.json lie: in the folder of slurm.conf. Where that is a copy
/// that a configless Slurm made for itself, Slurm would not put our files beside it: then
/// /etc/slurm.
std::string config_folder(const std::string& slurm_conf);

}  // namespace yardmaster
