// Job ids as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

/// "123", "123_4" (array task) or "123+1" (component of a heterogeneous job).
struct JobId {
    std::uint32_t job = 0;
    std::optional<std::uint32_t> array_task;
    std::optional<std::uint32_t> het_offset;
};

/// kInvalidArgument for anything else.
Result<JobId> parse_job_id(std::string_view text);

/// The record that `id` means among those of its job. kNotFound: no such task or component.
Result<SlurmJob> pick_job(const std::vector<SlurmJob>& records, const JobId& id);

/// "123", "123_4" or "123+1".
std::string job_id_text(const SlurmJob& job);

}  // namespace yardmaster::cli
