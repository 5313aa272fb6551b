// Runs of the shipped yardmaster-nccl-probe over simulated GPUs.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "healthcheck/checks.hpp"
#include "healthcheck/nccl/nccl_task.hpp"
#include "healthcheck/reason.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

#ifndef YM_NCCL_PROBE
#define YM_NCCL_PROBE ""
#endif

namespace yardmaster::testing {

class NcclProbeRun : public ::testing::Test {
  protected:
    NcclProbeRun() : node_(folder_.path()) {
        create("h100-hgx");
        sources_.sysfs_root = node_.sysfs_root();
        sources_.nvml_library = node_.nvml_library();
        sources_.state_dir = folder_ / "state";
        sources_.rdma.mode = CheckMode::kOff;
        sources_.nccl.cuda_library = node_.cuda_library();
        sources_.nccl.library = node_.nccl_library();
        sources_.nccl.probe = YM_NCCL_PROBE;
        sources_.nccl.max_init = std::chrono::seconds(60);
        scope_.node = "n0";
    }
    void SetUp() override {
        if (sources_.nccl.probe.empty()) {
            GTEST_SKIP() << "yardmaster-nccl-probe is not built (YM_NCCL=OFF)";
        }
    }
    void create(const std::string& model) {
        sim::NodeSettings settings = sim::default_settings();
        ASSERT_TRUE(sim::set_model(settings, model));
        ASSERT_TRUE(node_.create(settings));
        scope_.gpus = settings.minors;
    }
    void fault(const std::string& word) {
        ASSERT_TRUE(node_.change_nccl([&](sim::NcclScenario& s) { s.fault = word; }));
    }
    Report run(Clock::duration budget = std::chrono::seconds(120)) const {
        return run_checks(scope_, sources_, Clock::now() + budget);
    }
    /// Runs and learns, as the prolog does.
    Report run_and_keep() const {
        Report report = run();
        EXPECT_TRUE(keep_nccl(report.readings.nccl, report.findings, sources_));
        return report;
    }
    static std::string causes(const Report& report) {
        std::string text;
        for (const Finding& finding : report.findings) {
            text += cause_of(finding) + "; ";
        }
        return text;
    }
    std::string left() const {
        std::ostringstream text;
        text << std::ifstream(folder_ / "nccl/left.json").rdbuf();
        return text.str();
    }
    /// What the probe prints when it is run by hand, with `before` in front of it.
    std::string by_hand(const std::string& before, const std::string& arguments) const {
        const std::string command =
            before + " " YM_NCCL_PROBE " --cuda-library=" + node_.cuda_library() +
            " --nccl-library=" + node_.nccl_library() + " --nvml-library=" + node_.nvml_library() +
            " " + arguments + " 2>/dev/null";
        std::string output;
        std::FILE* pipe = popen(command.c_str(), "r");
        char bytes[4096];
        for (std::size_t size = 0; (size = fread(bytes, 1, sizeof bytes, pipe)) > 0;) {
            output.append(bytes, size);
        }
        pclose(pipe);
        return output;
    }
    static std::string uuid(unsigned minor) {
        char text[64];
        std::snprintf(text, sizeof text, "GPU-00000000-0000-4000-8000-%012x", minor);
        return text;
    }

    ScratchFolder folder_;
    sim::SimNode node_;
    CheckSources sources_;
    CheckScope scope_;
};

}  // namespace yardmaster::testing
