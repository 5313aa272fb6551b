// Runs a program as slurmd does: with exactly the variables it is given.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "healthcheck/budget/child.hpp"

namespace yardmaster::testing {

struct Outcome {
    int exit_status = -1;  ///< 128 and the signal's number for a killed one; -1: not started
    std::string output;
    Clock::duration took{};
};

/// The strings as execve wants them; they must outlive it.
inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

/// Runs `words` with exactly `variables` and collects what it writes to stdout and stderr, up to
/// the end of the stream: a child that kept it open would be noticed by the time it takes.
inline Outcome run_command(std::vector<std::string> words, std::vector<std::string> variables) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return {-1, std::strerror(errno), {}};
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    Outcome outcome;
    const auto begin = Clock::now();
    pid_t pid = 0;
    const int error = posix_spawn(&pid,
                                  words[0].c_str(),
                                  &actions,
                                  nullptr,
                                  pointers_to(words).data(),
                                  pointers_to(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char buffer[4096];
    for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
        outcome.output.append(buffer, static_cast<std::size_t>(size));
    }
    close(ends[0]);
    if (error != 0) {
        return {-1, words[0] + ": " + std::strerror(error), {}};
    }
    int status = 0;
    waitpid(pid, &status, 0);
    outcome.took = Clock::now() - begin;
    outcome.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

}  // namespace yardmaster::testing
