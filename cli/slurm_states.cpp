#include "cli/slurm_states.hpp"

#include <slurm/slurm.h>

#include <array>
#include <utility>

// Exported by libslurm (strong_alias), declared in no public header, and a series has one of the
// two: hence weak. 22.05: slurm_protocol_defs.c; 24.11: job_state_reason.c.
extern "C" __attribute__((weak)) char* slurm_job_reason_string(unsigned int reason);
extern "C" __attribute__((weak)) const char* slurm_job_state_reason_string(unsigned int reason);

namespace yardmaster::cli {
namespace {

constexpr std::array<const char*, NODE_STATE_END> kNodeBases{
    "UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "ERROR", "MIXED", "FUTURE"};
constexpr std::array<const char*, JOB_END> kJobBases{"PENDING",
                                                     "RUNNING",
                                                     "SUSPENDED",
                                                     "COMPLETED",
                                                     "CANCELLED",
                                                     "FAILED",
                                                     "TIMEOUT",
                                                     "NODE_FAIL",
                                                     "PREEMPTED",
                                                     "BOOT_FAIL",
                                                     "DEADLINE",
                                                     "OUT_OF_MEMORY"};
constexpr std::array<std::pair<std::uint32_t, const char*>, 7> kNodeFlags{{
    {NODE_STATE_DRAIN, "DRAIN"},
    {NODE_STATE_FAIL, "FAIL"},
    {NODE_STATE_COMPLETING, "COMPLETING"},
    {NODE_STATE_NO_RESPOND, "NOT_RESPONDING"},
    {NODE_STATE_MAINT, "MAINTENANCE"},
    {NODE_STATE_POWERED_DOWN, "POWERED_DOWN"},
    {NODE_STATE_POWERING_UP, "POWERING_UP"},
}};

}  // namespace

std::string node_state_text(std::uint32_t node_state) {
    const std::uint32_t base = node_state & NODE_STATE_BASE;
    std::string text = base < kNodeBases.size() ? kNodeBases[base] : "?";
    for (const auto& [flag, word] : kNodeFlags) {
        if ((node_state & flag) != 0) {
            text.append("+").append(word);
        }
    }
    return text;
}

bool node_is_usable(std::uint32_t node_state) {
    const std::uint32_t base = node_state & NODE_STATE_BASE;
    const bool up =
        base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED || base == NODE_STATE_MIXED;
    constexpr std::uint32_t kOut = NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_NO_RESPOND;
    return up && (node_state & kOut) == 0;
}

std::string job_state_text(std::uint32_t job_state) {
    const std::uint32_t base = job_state & JOB_STATE_BASE;
    std::string text = base < kJobBases.size() ? kJobBases[base] : "?";
    return (job_state & JOB_COMPLETING) != 0 ? text + "+COMPLETING" : text;
}

SlurmJob::Phase job_phase(std::uint32_t job_state) {
    switch (job_state & JOB_STATE_BASE) {
        case JOB_PENDING:
            return SlurmJob::Phase::kPending;
        case JOB_RUNNING:
        case JOB_SUSPENDED:
            return SlurmJob::Phase::kRunning;
        default:
            return SlurmJob::Phase::kEnded;
    }
}

std::string job_reason_text(std::uint16_t state_reason) {
    if (slurm_job_reason_string != nullptr) {
        return slurm_job_reason_string(state_reason);
    }
    if (slurm_job_state_reason_string != nullptr) {
        return slurm_job_state_reason_string(state_reason);
    }
    return "reason " + std::to_string(state_reason);
}

}  // namespace yardmaster::cli
