// The yardmaster-prolog program as slurmd starts it, and a simulated node for it to look at.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "healthcheck/evidence.hpp"
#include "prolog/journal.hpp"
#include "tests/prolog/prolog_site.hpp"
#include "tests/prolog/run_command.hpp"

namespace yardmaster::testing {

inline constexpr std::chrono::seconds kSlack{20};  // what a loaded machine may add to a deadline

inline Outcome run_program(std::vector<std::string> arguments, std::vector<std::string> variables) {
    arguments.insert(arguments.begin(), YM_PROLOG_PROGRAM);
    return run_command(std::move(arguments), std::move(variables));
}

class PrologProgram : public ::testing::Test, protected PrologSite {
  protected:
    void SetUp() override { ASSERT_TRUE(created()) << created().message(); }

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
};

}  // namespace yardmaster::testing
