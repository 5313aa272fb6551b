// The yardmaster-prolog program as slurmd starts it, and a simulated node for it to look at.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

#include "healthcheck/evidence.hpp"
#include "prolog/journal.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::testing {

inline constexpr std::chrono::seconds kSlack{20};  // what a loaded machine may add to a deadline

struct Outcome {
    int exit_status = -1;
    std::string output;
    Clock::duration took{};
};

/// Runs `words` with exactly `variables` and collects what it writes to stdout and stderr, up to
/// the end of the stream: a child that kept it open would be noticed by the time it takes.
inline Outcome run_command(std::vector<std::string> words, std::vector<std::string> variables) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> argv;
    std::vector<char*> envp;
    for (std::string& argument : words) {
        argv.push_back(argument.data());
    }
    for (std::string& variable : variables) {
        envp.push_back(variable.data());
    }
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    Outcome outcome;
    const auto begin = Clock::now();
    pid_t pid = 0;
    EXPECT_EQ(posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), envp.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char buffer[4096];
    for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
        outcome.output.append(buffer, static_cast<std::size_t>(size));
    }
    close(ends[0]);
    int status = 0;
    waitpid(pid, &status, 0);
    outcome.took = Clock::now() - begin;
    outcome.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

inline Outcome run_program(std::vector<std::string> arguments, std::vector<std::string> variables) {
    arguments.insert(arguments.begin(), YM_PROLOG_PROGRAM);
    return run_command(std::move(arguments), std::move(variables));
}

class PrologProgram : public ::testing::Test {
  protected:
    PrologProgram() : node_(folder_ / "n0") {
        const Status status = node_.create(sim::default_settings());
        EXPECT_TRUE(status) << status.message();
        write_policy("");
        write_file(folder_ / "etc/fabric.json", R"({
            "version": 1,
            "node_types": {"h100": {"gpus": 8, "rails": [
                {"nic": "mlx5_0", "gbps": 400}, {"nic": "mlx5_1", "gbps": 400},
                {"nic": "mlx5_2", "gbps": 400}, {"nic": "mlx5_3", "gbps": 400},
                {"nic": "mlx5_4", "gbps": 400}, {"nic": "mlx5_5", "gbps": 400},
                {"nic": "mlx5_6", "gbps": 400}, {"nic": "mlx5_7", "gbps": 400}]}},
            "nodes": {"n[0-3]": "h100"}})");
    }
    /// `more` is put into the health object: "\"enforce\": false, ".
    void write_policy(const std::string& more) {
        write_file(folder_ / "etc/yardmaster.json",
                   "{\"health\": {" + more + "\"sysfs_root\": \"" + folder_.path() +
                       "/%n/sys\", \"nvml_library\": \"" + folder_.path() +
                       "/%n/nvml/libnvidia-ml.so.1\", \"evidence_dir\": \"" + kept_in_ +
                       "/evidence\", \"state_dir\": \"" + kept_in_ + "/state\", \"journal\": \"" +
                       kept_in_ + "/journal.jsonl\"}}");
    }
    /// What slurmd would set.
    std::vector<std::string> variables(const std::string& gpus = "0,1,2,3,4,5,6,7") const {
        return {"SLURM_JOB_ID=12",
                "SLURMD_NODENAME=n0",
                "SLURM_CONF=" + (folder_ / "etc/slurm.conf"),
                "SLURM_JOB_GPUS=" + gpus};
    }
    Outcome run(const std::string& gpus = "0,1,2,3,4,5,6,7") {
        return run_program({}, variables(gpus));
    }
    /// The same program as a HealthCheckProgram that knows where slurm.conf is.
    Outcome run_passive(const std::vector<std::string>& more = {}) {
        std::vector<std::string> variables{"SLURMD_NODENAME=n0",
                                           "SLURM_CONF=" + (folder_ / "etc/slurm.conf")};
        variables.insert(variables.end(), more.begin(), more.end());
        return run_program({"--passive"}, variables);
    }
    /// What the journal holds.
    std::vector<JournalEntry> journal() {
        const auto read = read_journal(folder_ / "n0/journal.jsonl");
        EXPECT_TRUE(!read || read->faults.empty());
        return read ? read->entries : std::vector<JournalEntry>();
    }
    /// The bundles kept so far.
    std::vector<Evidence> evidence() {
        std::vector<Evidence> all;
        const auto ids = list_evidence(folder_ / "n0/evidence");
        for (const std::string& id : ids ? *ids : std::vector<std::string>{}) {
            auto loaded = load_evidence(folder_ / ("n0/evidence/" + id + ".json"));
            EXPECT_TRUE(loaded) << loaded.status().message();
            all.push_back(std::move(loaded).value());
        }
        return all;
    }

    ScratchFolder folder_;
    std::string kept_in_ = folder_ / "n0";  ///< folder of evidence, state and journal
    sim::SimNode node_;
};

}  // namespace yardmaster::testing
