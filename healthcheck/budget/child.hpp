// Work that may hang in the kernel, done in a child that is given up rather than waited for.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

#include "base/status.hpp"

namespace yardmaster {

using Clock = std::chrono::steady_clock;

/// Writes `line` and a line feed to `fd`, whole. False when the reader has gone.
bool write_line(int fd, const std::string& line);

/// A forked child in its own process group, with /dev/null for stdin, stdout and stderr, no other
/// descriptor open, and a pipe to its parent. It is killed when its parent dies.
class Child {
  public:
    /// Forks and runs `body(fd)`, where `fd` is the pipe's write end; the child ends with the body,
    /// by _exit, whatever the body throws. Fork only from a single-threaded process.
    /// Errors: kInternal when the system has no process or pipe left.
    static Result<Child> start(const std::function<void(int fd)>& body);

    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;
    /// Kills the child if it still runs, and waits for it at most 20 ms: a process in the D state
    /// does not die when killed, and init reaps it after us.
    ~Child();

    int fd() const { return fd_; }  ///< read end, non-blocking; -1 once closed
    pid_t pid() const { return pid_; }
    void close_pipe();

  private:
    Child(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
    pid_t pid_;
    int fd_;
};

}  // namespace yardmaster
