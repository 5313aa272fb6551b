// The RDMA check as work for children, with a part before and after it for whoever schedules.
#pragma once

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/rdma/rdma_judge.hpp"
#include "healthcheck/scope.hpp"

namespace yardmaster {

/// Shortest time in which a run of the probe is worth beginning: opening eight NICs, and two rounds
/// of four windows.
inline constexpr std::chrono::milliseconds kRdmaLeastTime{1000};

/// Readies `reading` for a run by `sources.rdma`: whether it was asked for, its limits, and why it
/// cannot run (not_run). What to measure, as a ring over the scope's rails; empty: nothing to do.
std::vector<RdmaPair> plan_rdma(const CheckScope& scope,
                                const CheckSources& sources,
                                RdmaReading& reading);

/// Runs yardmaster-rdma-probe on `pairs` and sends its lines (apply_rdma_line), before them what
/// the state folder has on these pairs. The probe gets an empty environment, ends by itself after
/// `budget` and dies with its parent. `attempt`: 1, and 2 for pairs_to_measure_again.
Task rdma_task(const std::vector<RdmaPair>& pairs,
               const CheckSources& sources,
               std::chrono::milliseconds budget,
               unsigned attempt);

/// Runs the whole check, measuring again what came out bad, in the time until `deadline`; for use
/// after the passive checks. `on_line` as for collect.
std::vector<TaskEnd> run_rdma(const CheckScope& scope,
                              const CheckSources& sources,
                              Clock::time_point deadline,
                              RdmaReading& reading,
                              const std::function<Clock::time_point(const std::string&)>& on_line);

/// Keeps what was learned; may block as long as the file system does, so call it in a child after
/// the verdict. Does nothing when nothing was measured. Errors: as write_state.
Status keep_rdma(const RdmaReading& reading, const CheckSources& sources);

}  // namespace yardmaster
