#include "cli/job_id.hpp"

#include <algorithm>
#include <charconv>

namespace yardmaster::cli {
namespace {

std::optional<std::uint32_t> parse_number(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc() || end != text.end()) {
        return std::nullopt;
    }
    return number;
}

}  // namespace

Result<JobId> parse_job_id(std::string_view text) {
    const std::size_t mark = text.find_first_of("_+");
    const auto job = parse_number(text.substr(0, mark));
    const auto part =
        mark == text.npos ? std::optional<std::uint32_t>(0) : parse_number(text.substr(mark + 1));
    if (!job || *job == 0 || !part) {
        return Status(ErrorCode::kInvalidArgument,
                      "job id \"" + std::string(text) +
                          "\" is none; write 123, 123_4 (array task) or 123+1 (het component)");
    }
    JobId id{*job, std::nullopt, std::nullopt};
    if (mark != text.npos) {
        (text[mark] == '_' ? id.array_task : id.het_offset) = part;
    }
    return id;
}

Result<SlurmJob> pick_job(const std::vector<SlurmJob>& records, const JobId& id) {
    const auto fits = [&id](const SlurmJob& job) {
        if (id.array_task) {
            return job.array_task == id.array_task;
        }
        return id.het_offset ? job.het_offset == id.het_offset : job.id == id.job;
    };
    auto found = std::find_if(records.begin(), records.end(), fits);
    // The record with the array's own number is one of its tasks, and may have ended long ago.
    if (found == records.end() && !id.array_task && !id.het_offset) {
        found = records.begin();
    }
    if (found == records.end()) {
        return Status(ErrorCode::kNotFound,
                      "job " + std::to_string(id.job) +
                          (id.array_task ? " has no task " + std::to_string(*id.array_task)
                                         : std::string(" has no such record")) +
                          "; squeue -r lists what slurmctld remembers");
    }
    return *found;
}

std::string job_id_text(const SlurmJob& job) {
    if (job.array_task) {
        return std::to_string(job.array_job) + "_" + std::to_string(*job.array_task);
    }
    if (job.het_offset) {
        return std::to_string(job.id - *job.het_offset) + "+" + std::to_string(*job.het_offset);
    }
    return std::to_string(job.id);
}

}  // namespace yardmaster::cli
