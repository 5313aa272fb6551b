// Slurm's state numbers in words. libslurm has such functions, but no public header declares them.
#pragma once

#include <cstdint>
#include <string>

#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

/// Base state and the flags that an administrator acts on, as sinfo writes them: "IDLE+DRAIN".
std::string node_state_text(std::uint32_t node_state);

/// Whether jobs can run there: up, and neither drained nor failing. Source: slurm.h, node_states.
bool node_is_usable(std::uint32_t node_state);

std::string job_state_text(std::uint32_t job_state);
SlurmJob::Phase job_phase(std::uint32_t job_state);

/// Why a job waits ("Resources"), through libslurm where it exports that; else "reason <number>".
std::string job_reason_text(std::uint16_t state_reason);

}  // namespace yardmaster::cli
