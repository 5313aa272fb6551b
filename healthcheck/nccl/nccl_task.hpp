// The NCCL check as work for children, with a part before and after it for whoever schedules.
#pragma once

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/nccl/nccl_judge.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// Shortest time in which a run of the probe is worth beginning: contexts and communicators of
/// eight GPUs were seen to take 0.5 s at best.
inline constexpr std::chrono::milliseconds kNcclLeastTime{1000};

/// Readies `reading` for a run by `sources.nccl`: whether it was asked for, over which GPUs, its
/// limits, and why it cannot run (not_run). `nvml` and `gpus` are what the passive checks read:
/// UUIDs, MIG, whether NVSwitches join the GPUs. True when there is something to run.
bool plan_nccl(const CheckScope& scope,
               const CheckSources& sources,
               const NvmlReading& nvml,
               const std::vector<GpuReading>& gpus,
               NcclReading& reading);

/// Sends what the state folder has of earlier starts, where they still count, for `reading.starts`.
void send_nccl_starts(const CheckSources& sources, int fd);

/// Runs yardmaster-nccl-probe over the GPUs of `reading` and sends its lines (apply_nccl_line),
/// before them what the state folder has of such GPUs (`with_baselines`; once is enough). The probe
/// gets an empty environment, ends by itself after `budget` and dies with its parent.
Task nccl_task(const NcclReading& reading,
               const CheckSources& sources,
               std::chrono::milliseconds budget,
               bool with_baselines);

/// Runs the whole check, once more when wants_second_attempt, in the time until `deadline`; for use
/// after the passive checks. Not where too_little_time is left. `on_line` as for collect.
std::vector<TaskEnd> run_nccl(const CheckScope& scope,
                              const CheckSources& sources,
                              Clock::time_point deadline,
                              const NvmlReading& nvml,
                              const std::vector<GpuReading>& gpus,
                              NcclReading& reading,
                              const std::function<Clock::time_point(const std::string&)>& on_line);

/// Keeps what was learned; may block as long as the file system does, so call it in a child after
/// the verdict. Writes nothing when nothing was learned. Errors: as write_state.
Status keep_nccl(const NcclReading& reading,
                 const std::vector<Finding>& findings,
                 const CheckSources& sources);

}  // namespace yardmaster
