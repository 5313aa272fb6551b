// A stream of jobs: who came when, wanting what, for how long.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

struct TraceJob {
    std::string id;           ///< as the trace names it, else "line 7"
    std::size_t line = 0;     ///< in the trace
    std::int64_t submit = 0;  ///< seconds after the trace's first submission
    std::uint32_t nodes = 0;
    std::uint32_t gpus_per_node = 0;  ///< 0: a job without GPUs
    Hints hints;
    std::int64_t runtime = 0;  ///< seconds, at least 1

    JobShape shape() const { return {nodes, gpus_per_node}; }
};

struct Trace {
    std::vector<TraceJob> jobs;   ///< by submission, then by line
    std::uint32_t steps = 0;      ///< records of job steps ("123.batch"), left out
    std::uint32_t never_ran = 0;  ///< records without nodes or of no duration, left out
};

/// Reads separated values (parse_csv) with a header line. Columns, in any order and case; the first
/// name present counts, other columns are not read:
///   submit   submit                                    seconds, or 2026-11-30T21:04:05
///   nodes    nodes, NNodes, AllocNodes
///   gpus     gpus, gpus_per_node: on each node; or AllocTRES, ReqTRES: of all nodes together
///   runtime  runtime, ElapsedRaw, Elapsed              seconds, or [days-]hh:mm:ss
///   hints    hints; or AdminComment with a receipt; or Constraints, Constraint. Optional; real
///            features beside the hints mean nothing to a fabric file and are passed over
///   id       id, JobID, JobIDRaw                       optional
/// `source` stands for the file in messages. Errors (kMalformed) name line, column, value and what
/// would be right. kMalformed also when no job is left.
Result<Trace> parse_trace(std::string_view text, std::string_view source);

/// The same from a file: kNotFound, kUnreadable.
Result<Trace> load_trace(const std::string& file);

}  // namespace yardmaster
