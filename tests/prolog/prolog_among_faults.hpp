// Faults around the prolog, and what a run of it may leave behind.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cctype>
#include <set>
#include <sstream>
#include <thread>

#include "tests/prolog/prolog_program.hpp"

#ifndef YM_NCCL_PROBE
#define YM_NCCL_PROBE "/nonexistent/yardmaster-nccl-probe"
#endif

namespace yardmaster::testing {

namespace fs = std::filesystem;

inline std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Command lines of processes that bear `mark` in their environment or arguments.
inline std::vector<std::string> processes_with(const std::string& mark) {
    std::vector<std::string> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        const bool other = std::isdigit(static_cast<unsigned char>(name.front())) != 0 &&
                           name != std::to_string(getpid());
        if (other &&
            (content(entry.path() / "environ") + content(entry.path() / "cmdline")).find(mark) !=
                std::string::npos) {
            found.push_back(content(entry.path() / "cmdline"));
        }
    }
    return found;
}

/// Shared memory that is no folder of our tests and benchmarks.
inline std::set<std::string> shared_memory() {
    std::set<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/dev/shm", error)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("ym-")) {
            names.insert(name);
        }
    }
    return names;
}

/// Whether this user may have a mount namespace of its own; not in every container.
inline bool may_unshare() {
    return run_command({"/usr/bin/unshare", "-rm", "/bin/mount", "-t", "tmpfs", "tmpfs", "/mnt"},
                       {})
               .exit_status == 0;
}

class PrologAmongFaults : public PrologProgram {
  protected:
    PrologAmongFaults() : memory_(shared_memory()) {}

    /// With every child from the `first`th on stopped for ever.
    Outcome run_with_hung_children(int first) const {
        auto environment = variables();
        environment.push_back("LD_PRELOAD=" YM_STOP_CHILDREN);
        environment.push_back("ASAN_OPTIONS=verify_asan_link_order=0");  // else it must be first
        environment.push_back("YM_STOP_CHILDREN_FROM=" + std::to_string(first));
        return run_program({}, environment);
    }
    /// By the end of a shell script that mounts things for itself alone: $1 is `word`, $2 the
    /// prolog.
    Outcome run_in_script(const std::string& script, const std::string& word) const {
        auto environment = variables();
        environment.push_back("PATH=/usr/bin:/bin");
        return run_command(
            {"/usr/bin/unshare", "-rm", "/bin/sh", "-ec", script, "sh", word, YM_PROLOG_PROGRAM},
            environment);
    }
    /// No process, no shared memory. A killed child takes a moment to go.
    void expect_nothing_left() const {
        std::vector<std::string> left = processes_with(folder_.path());
        for (int tries = 0; tries < 200 && !left.empty(); ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            left = processes_with(folder_.path());
        }
        EXPECT_THAT(left, ::testing::IsEmpty());
        EXPECT_EQ(shared_memory(), memory_);
    }

  private:
    std::set<std::string> memory_;  ///< shared memory before the run
};

}  // namespace yardmaster::testing
