// Streams of jobs for tests.
#pragma once

#include <string>
#include <vector>

#include "replay/trace.hpp"

namespace yardmaster::testing_support {

struct JobLine {
    std::int64_t submit = 0;
    std::uint32_t nodes = 1;
    std::uint32_t gpus = 8;
    std::int64_t runtime = 10;
    std::string hints;
};

inline std::vector<TraceJob> stream(const std::vector<JobLine>& lines) {
    std::vector<TraceJob> jobs;
    for (const JobLine& line : lines) {
        TraceJob job;
        job.id = std::to_string(jobs.size());
        job.submit = line.submit;
        job.nodes = line.nodes;
        job.gpus_per_node = line.gpus;
        job.hints = *parse_hints(line.hints);
        job.runtime = line.runtime;
        jobs.push_back(job);
    }
    return jobs;
}

}  // namespace yardmaster::testing_support
