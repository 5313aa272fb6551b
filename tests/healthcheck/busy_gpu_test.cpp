// GPUs that somebody computes on get no load, and are not judged by what load would show.
#include "healthcheck/gpu/busy_gpu.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "healthcheck/nccl/nccl_task.hpp"
#include "tests/healthcheck/simulated_node.hpp"

namespace yardmaster {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// With the real RDMA probe over a simulated libibverbs; NCCL is only planned.
class BusyGpu : public testing::SimulatedNode {
  protected:
    BusyGpu() {
        sources_ = sources();
        sources_.rdma.library = node_.verbs_library();
        sources_.rdma.probe = YM_RDMA_PROBE;
        sources_.nccl.cuda_library = node_.cuda_library();
        sources_.nccl.probe = "/nonexistent";
    }
    void busy(unsigned minor, unsigned processes = 2) {
        ASSERT_TRUE(node_.change_gpu(minor, [&](sim::SimGpu& gpu) { gpu.processes = processes; }));
    }
    Report check() const {
        return run_checks(scope_, sources_, Clock::now() + std::chrono::seconds(120));
    }
    /// Whether a pair with the rail of this GPU was measured.
    bool measured(const Report& report, unsigned minor) const {
        const std::string& device = settings_.rails[minor];
        const auto& pairs = report.readings.rdma.pairs;
        return std::any_of(pairs.begin(), pairs.end(), [&](const RdmaPairReading& pair) {
            return pair.from.port.device == device || pair.to.port.device == device;
        });
    }

    CheckSources sources_;
};

TEST_F(BusyGpu, ItsRailIsLeftOut) {
    busy(3);
    const Report report = check();
    EXPECT_FALSE(measured(report, 3));
    EXPECT_TRUE(measured(report, 4));
    EXPECT_EQ(report.readings.rdma.pairs.size(), 7u);
    EXPECT_THAT(report.readings.notes,
                Contains(HasSubstr("RDMA leaves rails out: processes "
                                   "compute on GPU3 already")));
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << objects(report);
}

TEST_F(BusyGpu, ItsPassesAreNotProven) {
    busy(3);
    for (int run = 0; run < 4; ++run) {
        ASSERT_TRUE(keep_state(check(), sources_));
    }
    EXPECT_TRUE(check().readings.rdma.pairs.empty()) << "the others have passed";
    busy(3, 0);
    EXPECT_TRUE(measured(check(), 3));
}

TEST_F(BusyGpu, NothingQuietIsANoteOrOnDemandUnknown) {
    for (const unsigned minor : scope_.gpus) {
        busy(minor);
    }
    Report report = check();
    EXPECT_TRUE(report.readings.rdma.pairs.empty());
    EXPECT_THAT(report.readings.notes, Contains(HasSubstr("RDMA not run: processes compute on")));
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << objects(report);
    sources_.rdma.mode = CheckMode::kOn;
    report = check();
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].sign, "rdma.not-run");
}

TEST_F(BusyGpu, NcclNeedsAllOfThem) {
    sources_.rdma.mode = CheckMode::kOff;
    busy(3);
    const Report report = check();
    EXPECT_TRUE(report.readings.nccl.attempts.empty());
    EXPECT_THAT(report.readings.notes,
                Contains(HasSubstr("NCCL not run: processes compute on GPU3 already")));
    scope_.gpus = {0, 1};
    NcclReading reading;
    EXPECT_TRUE(plan_nccl(scope_, sources_, report.readings.nvml, report.readings.gpus, reading))
        << reading.not_run;
}

TEST_F(BusyGpu, LibraryThatDoesNotTellIsNoReason) {
    busy(3);
    Report report = run();
    for (GpuReading& gpu : report.readings.gpus) {
        gpu.processes = {kNvmlFunctionNotFound, 0};
    }
    EXPECT_EQ(describe_busy(scope_, report.readings.gpus), "");
    EXPECT_EQ(without_busy_rails(scope_, report.readings.gpus).rails.size(), 8u);
}

}  // namespace
}  // namespace yardmaster
