// A job as its user names it, and its nodes in the order in which slurmctld ranks them.
#pragma once

#include <string>
#include <vector>

#include "cli/slurm_client.hpp"

namespace yardmaster::cli {

/// The record of the job that `text` ("123", "123_4", "123+1") names. Errors: as parse_job_id,
/// SlurmClient::jobs and pick_job.
Result<SlurmJob> find_job(const std::string& text, SlurmClient& slurm);

/// Sorts `names` as slurmctld's node table has them: a job's host list is sorted by name, whatever
/// the table's order (node_conf.c, bitmap2node_name). `cluster` is in table order; names that it
/// lacks come last.
void sort_as_in_table(const std::vector<SlurmNode>& cluster, std::vector<std::string>& names);

}  // namespace yardmaster::cli
