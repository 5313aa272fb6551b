// Gathers lines from children until they end or the time is up.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "healthcheck/budget/child.hpp"

namespace yardmaster {

/// A piece of work for a child: it writes lines to `fd` as results come.
struct Task {
    std::string name;
    std::function<void(int fd)> body;
};

/// How one task ended.
struct TaskEnd {
    std::string name;
    bool finished = false;  ///< the child closed its pipe; else it was given up at the deadline
    std::string error;      ///< why it could not start
};

/// Runs all tasks at once, each in its own child. `on_line(line)` sees every whole line as it comes
/// and returns the deadline from then on (to stop early, return an earlier one). Returns at the
/// deadline at the latest, also when a child cannot be killed; that child is left to init.
std::vector<TaskEnd> collect(const std::vector<Task>& tasks,
                             Clock::time_point deadline,
                             const std::function<Clock::time_point(const std::string&)>& on_line);

/// The same, but the deadline from then on is asked of `deadline_now()`, once for all lines that
/// had come together: for callers to whom finding it out is work.
std::vector<TaskEnd> collect(const std::vector<Task>& tasks,
                             Clock::time_point deadline,
                             const std::function<void(const std::string&)>& on_line,
                             const std::function<Clock::time_point()>& deadline_now);

/// Runs one task; all its lines. kTimeout when it did not finish by `deadline`, with the lines that
/// came lost. kInternal when it could not start.
Result<std::vector<std::string>> run_task(const Task& task, Clock::time_point deadline);

}  // namespace yardmaster
