#include "healthcheck/budget/collect.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

namespace yardmaster {
namespace {

/// What is done with lines, and asked after them.
struct Sink {
    const std::function<void(const std::string&)>& on_line;
    const std::function<Clock::time_point()>& deadline_now;
};

/// A child, the bytes of it that are no whole line yet, and its end.
struct Running {
    std::optional<Child> child;
    std::string buffer;
    TaskEnd end;
};

Running start(const Task& task) {
    Running running;
    running.end.name = task.name;
    auto child = Child::start(task.body);
    if (child) {
        running.child.emplace(std::move(child).value());
    } else {
        running.end.error = child.status().message();
    }
    return running;
}

int milliseconds_until(Clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count() + 1, 0, 3600000));
}

void take_lines(Running& running, const Sink& sink) {
    for (auto feed = running.buffer.find('\n'); feed != std::string::npos;
         feed = running.buffer.find('\n')) {
        const std::string line = running.buffer.substr(0, feed);
        running.buffer.erase(0, feed + 1);
        sink.on_line(line);
    }
}

/// Reads what is there; at the end of the pipe the task is finished.
void take_bytes(Running& running, const Sink& sink) {
    char bytes[16384];
    const ssize_t size = read(running.child->fd(), bytes, sizeof bytes);
    if (size > 0) {
        running.buffer.append(bytes, static_cast<std::size_t>(size));
        take_lines(running, sink);
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        running.end.finished = size == 0;
        running.child->close_pipe();
    }
}

bool open(const Running& running) {
    return running.child && running.child->fd() >= 0;
}

/// Waits for the next bytes of any child. False when no child is left or the time is up.
bool step(std::vector<Running>& all, const Sink& sink, Clock::time_point& deadline) {
    std::vector<pollfd> polled;
    std::vector<Running*> owners;
    for (Running& running : all) {
        if (open(running)) {
            polled.push_back({running.child->fd(), POLLIN, 0});
            owners.push_back(&running);
        }
    }
    if (polled.empty() || Clock::now() >= deadline) {
        return false;
    }
    poll(polled.data(), polled.size(), milliseconds_until(deadline));
    for (std::size_t i = 0; i < polled.size(); ++i) {
        if (polled[i].revents != 0) {
            take_bytes(*owners[i], sink);
        }
    }
    deadline = std::min(deadline, sink.deadline_now());
    return true;
}

}  // namespace

std::vector<TaskEnd> collect(const std::vector<Task>& tasks,
                             Clock::time_point deadline,
                             const std::function<Clock::time_point(const std::string&)>& on_line) {
    Clock::time_point latest = deadline;
    return collect(
        tasks,
        deadline,
        [&](const std::string& line) { latest = std::min(latest, on_line(line)); },
        [&] { return latest; });
}

std::vector<TaskEnd> collect(const std::vector<Task>& tasks,
                             Clock::time_point deadline,
                             const std::function<void(const std::string&)>& on_line,
                             const std::function<Clock::time_point()>& deadline_now) {
    std::vector<Running> all;
    for (const Task& task : tasks) {
        all.push_back(start(task));
    }
    while (step(all, {on_line, deadline_now}, deadline)) {
    }
    std::vector<TaskEnd> ends;
    for (const Running& running : all) {
        ends.push_back(running.end);
    }
    return ends;
}

Result<std::vector<std::string>> run_task(const Task& task, Clock::time_point deadline) {
    std::vector<std::string> lines;
    const auto ends = collect({task}, deadline, [&](const std::string& line) {
        lines.push_back(line);
        return deadline;
    });
    if (!ends.front().error.empty()) {
        return Status(ErrorCode::kInternal, task.name + ": " + ends.front().error);
    }
    if (!ends.front().finished) {
        return Status(ErrorCode::kTimeout, task.name + ": did not finish in time");
    }
    return lines;
}

}  // namespace yardmaster
