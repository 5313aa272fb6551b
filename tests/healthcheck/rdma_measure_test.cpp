// The shipped probe over the fake libibverbs, which ends the program on a leak.
#include <gtest/gtest.h>

#include "healthcheck/rdma/rate_sampler.hpp"
#include "healthcheck/rdma/rdma_json.hpp"
#include "healthcheck/rdma/rdma_task.hpp"
#include "healthcheck/rdma/verbs_api.hpp"
#include "healthcheck/readers.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"
#include "tests/sim/sysfs_tree.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;

TEST(RateSampler, WindowRunsFromCompletionToCompletion) {
    RateSampler sampler(milliseconds(10), 2);
    sampler.add(milliseconds(5), 1000);  // starts the clock
    sampler.add(milliseconds(10), 125000);
    sampler.add(milliseconds(25), 125000);
    ASSERT_EQ(sampler.gbps().size(), 1u);
    EXPECT_NEAR(sampler.gbps()[0], 250000 * 8 / 20e6, 1e-12);
    EXPECT_FALSE(sampler.done());
    sampler.add(milliseconds(36), 125000);
    EXPECT_TRUE(sampler.done());
}

TEST(RateSampler, SlowLinkYieldsWhatItHas) {
    RateSampler sampler(milliseconds(1000), 4);
    EXPECT_TRUE(sampler.gbps().empty());
    sampler.add(milliseconds(1), 1000);
    EXPECT_TRUE(sampler.gbps().empty());
    sampler.add(milliseconds(2), 1000);
    EXPECT_NEAR(sampler.gbps().at(0), 8e-3, 1e-9);
}

class FakeFabric : public ::testing::Test {
  protected:
    FakeFabric() : node_(folder_.path()) {
        const Status status = node_.create(sim::default_settings());
        EXPECT_TRUE(status) << status.message();
    }

    void fault(const std::string& nic, const std::string& word) {
        ASSERT_TRUE(node_.change_rdma(
            [&](sim::RdmaScenario& scenario) { scenario.nics[nic].all.fault = word; }));
    }
    void set_share(const std::string& nic, double share) {
        ASSERT_TRUE(node_.change_rdma(
            [&](sim::RdmaScenario& scenario) { scenario.nics[nic].all.share = share; }));
    }
    void make_roce() {
        for (unsigned i = 0; i < 8; ++i) {
            ASSERT_TRUE(
                sim::set_file(node_.port("mlx5_" + std::to_string(i)) + "/link_layer", "Ethernet"));
        }
    }

    CheckScope scope(unsigned rails) const {
        CheckScope scope;
        for (unsigned i = 0; i < rails; ++i) {
            scope.rails.push_back({"mlx5_" + std::to_string(i), 1, 400});
        }
        return scope;
    }
    CheckSources sources() const {
        CheckSources sources;
        sources.sysfs_root = node_.sysfs_root();
        sources.state_dir = folder_.path() + "/state";
        sources.rdma.library = node_.verbs_library();
        sources.rdma.probe = YM_RDMA_PROBE;
        sources.rdma.gpu_memory = gpu_memory_;
        sources.rdma.cuda_library = YM_FAKE_CUDA_MEMORY;
        return sources;
    }
    /// The whole check over the first `rails` rails, by the real probe.
    RdmaReading run(unsigned rails, Clock::duration time = std::chrono::seconds(60)) {
        Readings readings;
        const auto deadline = Clock::now() + time;
        run_rdma(scope(rails), sources(), deadline, readings.rdma, [&](const std::string& line) {
            const Status status = apply_line(line, readings);
            EXPECT_TRUE(status) << status.message() << line;
            return deadline;
        });
        return readings.rdma;
    }

    testing::ScratchFolder folder_;
    sim::SimNode node_;
    bool gpu_memory_ = false;
};

std::string proven(const RdmaReading& reading) {
    std::string text;
    for (const Finding& finding : judge_rdma(reading)) {
        text += is_proven(finding) ? finding.object + " " + finding.sign + "; " : "";
    }
    return text;
}

TEST_F(FakeFabric, HealthyRingMeasuresItsRateAndFindsNothing) {
    const RdmaReading reading = run(8);
    ASSERT_EQ(reading.pairs.size(), 8u);
    for (const RdmaPairReading& pair : reading.pairs) {
        EXPECT_EQ(pair.outcome, RdmaOutcome::kMeasured) << pair.error;
        ASSERT_EQ(pair.gbps.size(), 4u);
        EXPECT_NEAR(pair.gbps[0], 397.5, 30);
        EXPECT_NEAR(pair.latency_us.value_or(0), 4, 1);
        EXPECT_EQ(pair.from.memory, "host");
        EXPECT_NE(pair.from.firmware.find("SIMULATED"), std::string::npos);
    }
    EXPECT_TRUE(judge_rdma(reading).empty());
}

TEST_F(FakeFabric, SlowNicIsNamedAmongFour) {
    set_share("mlx5_2", 0.85);
    EXPECT_EQ(proven(run(4)), "mlx5_2 rdma.bandwidth; ");
}

TEST_F(FakeFabric, FaultsHaveNamesOfTheirOwn) {
    fault("mlx5_1", "bad-data");
    EXPECT_EQ(proven(run(8)), "mlx5_1 rdma.data; ");
    fault("mlx5_1", "broken");
    EXPECT_EQ(proven(run(8)), "mlx5_1 rdma.completion; ");
}

TEST_F(FakeFabric, SilentNicWithoutAPastIsUnknown) {
    fault("mlx5_1", "retry");
    const RdmaReading reading = run(4);
    EXPECT_EQ(reading.pairs[0].outcome, RdmaOutcome::kUnreachable);
    EXPECT_EQ(reading.pairs[0].wc_status, kWcRetryExceeded);
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
    EXPECT_TRUE(reading.pairs.back().pair().self_loop()) << "at least the NICs are measured";
}

TEST_F(FakeFabric, SeparateFabricsAreUnknown) {
    ASSERT_TRUE(node_.change_rdma([](sim::RdmaScenario& scenario) { scenario.separate = true; }));
    EXPECT_EQ(combine(judge_rdma(run(8))), Verdict::kUnknown);
}

TEST_F(FakeFabric, RoceTakesTheRoutableGid) {
    make_roce();
    for (const RdmaPairReading& pair : run(2).pairs) {
        EXPECT_EQ(pair.outcome, RdmaOutcome::kMeasured) << pair.error;
        EXPECT_EQ(pair.from.gid_index, 1u);
        EXPECT_EQ(pair.from.gid_scope, "routable");
    }
}

TEST_F(FakeFabric, RailWithoutItsAddressIsNamed) {
    make_roce();
    fault("mlx5_3", "no-gid");
    EXPECT_EQ(proven(run(8)), "mlx5_3 rdma.gid; ");
    fault("mlx5_3", "gid-local");
    EXPECT_EQ(proven(run(8)), "mlx5_3 rdma.gid; ");
}

TEST_F(FakeFabric, PortThatIsDownIsLeftToThePortCheck) {
    ASSERT_TRUE(node_.set_port("mlx5_3", "1: DOWN", "2: Polling"));
    const RdmaReading reading = run(4);
    EXPECT_EQ(reading.pairs[1].outcome, RdmaOutcome::kPortDown) << "mlx5_2>mlx5_3";
    EXPECT_TRUE(judge_rdma(reading).empty());
}

TEST_F(FakeFabric, DeviceThatIsGoneIsUnknown) {
    ASSERT_TRUE(node_.remove_nic("mlx5_2"));
    const RdmaReading reading = run(4);
    EXPECT_EQ(reading.pairs.size(), 4u);
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
}

TEST_F(FakeFabric, GpuMemoryIsUsedWherePeermemIsLoaded) {
    gpu_memory_ = true;
    EXPECT_EQ(run(1).pairs.at(0).from.memory, "host (neither dma-buf nor nvidia-peermem)");
    std::filesystem::create_directories(node_.sysfs_root() + "/module/nvidia_peermem");
    const RdmaReading reading = run(2);
    EXPECT_EQ(reading.pairs.at(0).from.memory, "gpu peermem");
    EXPECT_EQ(reading.pairs.at(0).outcome, RdmaOutcome::kMeasured);
    EXPECT_TRUE(reading.ended) << "nothing was left behind";
    fault("mlx5_1", "bad-data");
    EXPECT_EQ(run(2).pairs.at(0).outcome, RdmaOutcome::kBadData);
}

TEST_F(FakeFabric, HungDriverIsUnknownAndSaysWhere) {
    fault("mlx5_1", "hang");
    const RdmaReading reading = run(4, std::chrono::seconds(3));
    EXPECT_FALSE(reading.ended);
    EXPECT_EQ(reading.step, "open mlx5_1");
    EXPECT_EQ(combine(judge_rdma(reading)), Verdict::kUnknown);
}

TEST_F(FakeFabric, TooLittleTimeIsSaidAndNotTried) {
    const RdmaReading reading = run(4, milliseconds(200));
    EXPECT_TRUE(reading.pairs.empty());
    EXPECT_EQ(reading.not_run, "no time was left for it");
}

TEST_F(FakeFabric, AbsentProbeOrLibraryIsSaid) {
    CheckSources wrong = sources();
    wrong.rdma.library = "/nonexistent/libibverbs.so.1";
    const auto pairs = ring_of({{"mlx5_0", 1}});
    const auto lines = run_task(rdma_task(pairs, wrong, milliseconds(1000), 1),
                                Clock::now() + std::chrono::seconds(60));
    ASSERT_TRUE(lines);
    EXPECT_NE(lines->back().find("rdma_error"), std::string::npos);
    wrong.rdma.probe = "/nonexistent/probe";
    const auto more = run_task(rdma_task(pairs, wrong, milliseconds(1000), 1),
                               Clock::now() + std::chrono::seconds(60));
    ASSERT_TRUE(more);
    EXPECT_NE(more->back().find("/nonexistent/probe: No such file"), std::string::npos);
}

TEST_F(FakeFabric, WhatWasLearnedIsComparedWithInTheNextRun) {
    for (unsigned i = 0; i < kBaselineLeast; ++i) {
        const RdmaReading reading = run(2);
        EXPECT_EQ(proven(reading), "");
        const Status status = keep_rdma(reading, sources());
        ASSERT_TRUE(status) << status.message();
    }
    set_share("mlx5_1", 0.85);
    const RdmaReading reading = run(2);
    EXPECT_EQ(reading.baseline.size(), 2u);
    EXPECT_EQ(proven(reading), "mlx5_0 rdma.bandwidth; mlx5_1 rdma.bandwidth; ");
    fault("mlx5_1", "retry");
    EXPECT_EQ(proven(run(2)), "mlx5_0 rdma.unreachable; mlx5_1 rdma.unreachable; ");
}

TEST_F(FakeFabric, ReadingRoundTripsThroughJson) {
    set_share("mlx5_2", 0.5);
    RdmaReading reading = run(4);
    reading.baseline = learned_from(reading).pairs;
    const std::string text = to_json(reading).dump_exact();
    const auto document = JsonDocument::parse(text);
    RdmaReading read;
    const Status status = from_json(document->root(), read);
    ASSERT_TRUE(status) << status.message();
    EXPECT_EQ(to_json(read).dump_exact(), text);
    EXPECT_EQ(proven(read), proven(reading));
}

TEST(Verbs, AbsentLibraryIsNotFound) {
    const auto verbs = make_verbs("/nonexistent/libibverbs.so.1");
    EXPECT_EQ(verbs->init().code(), ErrorCode::kNotFound);
}

TEST(Verbs, LibraryWithoutTheFunctionsIsNotFound) {
    const auto verbs = make_verbs("libm.so.6");
    const Status status = verbs->init();
    EXPECT_EQ(status.code(), ErrorCode::kNotFound);
    EXPECT_NE(status.message().find("ibv_get_device_list"), std::string::npos);
}

}  // namespace
}  // namespace yardmaster
