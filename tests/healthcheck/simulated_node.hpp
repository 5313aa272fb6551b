// A simulated node with a job on all its GPUs, for tests of whole checks.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "healthcheck/checks.hpp"
#include "healthcheck/kept_state.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::testing {

class SimulatedNode : public ::testing::Test {
  protected:
    SimulatedNode() : node_(folder_.path()) {
        settings_ = sim::default_settings();
        expect_all();
        create();
    }
    /// A job on all GPUs, whose rails are as the fabric file of such a node says.
    void expect_all() {
        scope_ = {};
        for (unsigned gpu : settings_.minors) {
            scope_.gpus.push_back(gpu);
            scope_.rails.push_back({settings_.rails[gpu], 1, settings_.rail_gbps, {gpu}});
        }
        scope_.node = "n0";
        scope_.node_gpus = static_cast<unsigned>(settings_.minors.size());
        scope_.node_rails = settings_.rails;
    }
    CheckSources sources() const {
        return {node_.sysfs_root(), node_.nvml_library(), folder_ / "state"};
    }
    void create() {
        const Status status = node_.create(settings_);
        ASSERT_TRUE(status) << status.message();
    }
    Report run(Clock::duration budget = std::chrono::seconds(60)) const {
        return run_checks(scope_, sources(), Clock::now() + budget);
    }
    /// A check, after which its counters are kept as the prolog keeps them.
    Report run_and_keep() const {
        Report report = run();
        const Status status = keep_counters(report, sources());
        EXPECT_TRUE(status) << status.message();
        return report;
    }
    static std::string objects(const Report& report) {
        std::string text;
        for (const Finding& finding : report.findings) {
            text += finding.object + " " + finding.short_text + "; ";
        }
        return text;
    }

    ScratchFolder folder_;
    sim::SimNode node_;
    sim::NodeSettings settings_;
    CheckScope scope_;
};

}  // namespace yardmaster::testing
