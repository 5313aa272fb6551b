// The shipped yardmaster-nccl-probe over simulated GPUs, run by the check and by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "healthcheck/evidence.hpp"
#include "healthcheck/judge.hpp"
#include "tests/healthcheck/nccl_probe_run.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::NcclProbeRun;
using ::testing::Not;

constexpr const char* kNothingLeft =
    R"({"memory":0,"contexts":0,"streams":0,"events":0,"communicators":0})"
    "\n";

/// Whether the process of this stat file is gone, or only waits for init, within some seconds.
bool ends(const std::string& stat) {
    for (int tries = 0; tries < 200; ++tries) {
        std::string word;
        char state = 'Z';
        std::ifstream(stat) >> word >> word >> state;
        if (state == 'Z') {
            return true;
        }
        std::this_thread::sleep_for(milliseconds(50));
    }
    return false;
}

TEST_F(NcclProbeRun, HealthyNodeIsMeasuredVerifiedAndLeftClean) {
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << causes(report);
    ASSERT_EQ(report.readings.nccl.attempts.size(), 1u);
    const NcclAttempt& attempt = report.readings.nccl.attempts[0];
    EXPECT_TRUE(attempt.ended) << attempt.step;
    EXPECT_EQ(attempt.sums, NcclSums::kRight) << attempt.sums_detail;
    EXPECT_EQ(attempt.nccl, "2.28.9");
    EXPECT_EQ(attempt.cuda, "12.4");
    EXPECT_EQ(attempt.sizes.size(), 6u);
    EXPECT_GE(attempt.init_ms, 20);
    EXPECT_NEAR(best_busbw(attempt.sizes[2]), 480 * 1024 / 1064.0, 25);
    EXPECT_EQ(left(), kNothingLeft);
    EXPECT_THAT(report.readings.simulated,
                ::testing::Contains(HasSubstr("CUDA device is \"NVIDIA H100")));
}

TEST_F(NcclProbeRun, ExactlyTheJobsGpusAreMeasured) {
    scope_.gpus = {2, 5};
    const Report report = run();
    ASSERT_EQ(report.readings.nccl.attempts.size(), 1u);
    const auto& gpus = report.readings.nccl.attempts[0].gpus;
    ASSERT_EQ(gpus.size(), 2u);
    EXPECT_EQ(gpus[0].uuid, uuid(2));
    EXPECT_EQ(gpus[1].uuid, uuid(5));
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << causes(report);
}

TEST_F(NcclProbeRun, OtherGpusThanAskedForAreRefused) {
    fault("other-gpus");
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_THAT(report.findings.at(0).detail, HasSubstr("was asked for"));
}

TEST_F(NcclProbeRun, LossAgainstWhatWasLearnedDrainsAndReplays) {
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(run_and_keep().verdict, Verdict::kHealthy);
    }
    ASSERT_TRUE(node_.change_nccl([](sim::NcclScenario& s) { s.share = 0.85; }));
    for (int i = 0; i < 2; ++i) {  // and a slow run does not become the measure
        Report report = run_and_keep();
        EXPECT_EQ(report.verdict, Verdict::kDegraded) << causes(report);
        EXPECT_THAT(causes(report), ::testing::MatchesRegex("NCCL [0-9]+/[0-9]+GB/s; "));
        Evidence evidence;
        evidence.id = "n0-0-1";
        evidence.report = report;
        const auto document = JsonDocument::parse(to_json(evidence).dump_exact());
        ASSERT_TRUE(document);
        Evidence read;
        ASSERT_TRUE(from_json(document->root(), read));
        EXPECT_EQ(combine(judge(read.report.scope, read.report.readings)), Verdict::kDegraded);
    }
}

TEST_F(NcclProbeRun, WrongSumsDrain) {
    fault("wrong-sums");
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kDegraded);
    EXPECT_EQ(causes(report), "NCCL wrong sums; ");
    EXPECT_THAT(report.findings[0].detail, HasSubstr("GPU 7 of the job has 0.0"));
}

// Rows 26 and 27 of the table of small inputs.
TEST_F(NcclProbeRun, FabricManagerIsNamed) {
    for (const char* word : {"802", "nvls"}) {
        fault(word);
        const Report report = run();
        EXPECT_EQ(report.verdict, Verdict::kDegraded) << word;
        EXPECT_EQ(causes(report), "fabric manager; ") << word;
        EXPECT_EQ(report.readings.nccl.attempts.size(), 2u) << word;
        EXPECT_EQ(left(), kNothingLeft) << word;
    }
}

// Row 11.
TEST_F(NcclProbeRun, InheritedNcclVariablesAreCleared) {
    const std::string output = by_hand("NCCL_TOPO_FILE=/nonsense NCCL_DEBUG=INFO HOME=/nowhere",
                                       uuid(0) + " " + uuid(1) + " --size-mib=64 --passes=1");
    EXPECT_THAT(output, HasSubstr(R"("sums":"right")"));
    EXPECT_THAT(output, HasSubstr("nccl_end"));
    EXPECT_THAT(output, ::testing::Not(HasSubstr(R"("busbw":[1)")));  // 15 GB/s
}

TEST_F(NcclProbeRun, PciAddressesNameGpusToo) {
    create("gb200-nvl72");
    std::string addresses;
    ASSERT_TRUE(node_.change_scenario([&](sim::Scenario& scenario) {
        addresses = scenario.gpus[1].pci + " " + scenario.gpus[3].pci.substr(4);
        return Status::ok();
    }));
    const std::string output = by_hand("", addresses + " --size-mib=64 --passes=1");
    EXPECT_THAT(output, HasSubstr(uuid(1)));
    EXPECT_THAT(output, HasSubstr(uuid(3)));
    EXPECT_THAT(output, HasSubstr("nccl_end"));
    EXPECT_THAT(by_hand("", "0000:ff:1f.0"), HasSubstr("no GPU has the PCI address"));
}

TEST_F(NcclProbeRun, OneGpuByHandIsVerified) {
    const std::string output = by_hand("", uuid(3) + " --size-mib=64 --passes=1");
    EXPECT_THAT(output, HasSubstr(R"("sums":"right")"));
}

// Row 21.
TEST_F(NcclProbeRun, MigAndSingleGpusAreLeftToThePassiveChecks) {
    ASSERT_TRUE(node_.change_gpu(1, [](sim::SimGpu& gpu) { gpu.mig = true; }));
    Report report = run();
    EXPECT_TRUE(report.readings.nccl.attempts.empty());
    EXPECT_THAT(report.readings.nccl.not_run, HasSubstr("MIG"));
    scope_.gpus = {2};
    report = run();
    EXPECT_TRUE(report.readings.nccl.attempts.empty());
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << causes(report);
}

TEST_F(NcclProbeRun, SlowSetupIsGivenUpByTheProbeItself) {
    fault("hang-init");
    sources_.nccl.max_init = milliseconds(300);
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_THAT(report.findings[0].detail, HasSubstr("were not done after 300 ms"));
    EXPECT_THAT(report.readings.notes, Not(Contains(HasSubstr("given up"))));
}

TEST_F(NcclProbeRun, SetupThatOutlastsTheBudgetIsGivenUpByTheProbeToo) {
    fault("hang-init");
    const Report report = run(seconds(3));
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_THAT(report.findings[0].detail, HasSubstr("communicators were not done"));
    EXPECT_THAT(report.readings.notes, Not(Contains(HasSubstr("given up"))));
}

// Row 24.
TEST_F(NcclProbeRun, ProbeThatSleepsIsKilledAtTheDeadline) {
    sources_.nccl.probe = folder_ / "sleeper";
    testing::write_file(sources_.nccl.probe,
                        "#!/bin/sh\n"
                        "echo $$ >" +
                            folder_.path() +
                            "/pid\n"
                            "echo '{\"nccl_probe\": {}}'\n"
                            "echo '{\"nccl_step\": \"communicators\"}'\n"
                            "/bin/sleep 120 &\n"
                            "echo $! >" +
                            folder_.path() +
                            "/pid\n"
                            "exec /bin/sleep 120\n");
    ASSERT_EQ(chmod(sources_.nccl.probe.c_str(), 0700), 0);
    const Report report = run(seconds(3));
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_LT(report.took, seconds(25));
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_THAT(report.findings[0].detail, HasSubstr("communicators"));
    EXPECT_THAT(report.readings.notes, Contains(HasSubstr("NCCL probe was given up")));
    std::string pid;
    std::ifstream(folder_ / "pid") >> pid;
    ASSERT_FALSE(pid.empty());
    EXPECT_TRUE(ends("/proc/" + pid + "/stat")) << "a child of the probe's lives on";
}

TEST_F(NcclProbeRun, AllReduceThatHangsIsUnknown) {
    fault("hang-run");
    const Report report = run(seconds(3));
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_THAT(report.findings[0].detail, HasSubstr("all-reduce"));
}

TEST_F(NcclProbeRun, FullMemoryIsUnknownAndLeavesNothing) {
    fault("no-memory");
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_EQ(left(), kNothingLeft);
}

TEST_F(NcclProbeRun, AbsentLibrariesAreANoteOrOnDemandUnknown) {
    for (std::string* missing :
         {&sources_.nccl.library, &sources_.nccl.cuda_library, &sources_.nccl.probe}) {
        const std::string before = *missing;
        *missing = folder_ / "nothing.so";
        sources_.nccl.mode = CheckMode::kAuto;
        EXPECT_EQ(run().verdict, Verdict::kHealthy) << before;
        sources_.nccl.mode = CheckMode::kOn;
        const Report report = run();
        EXPECT_EQ(report.verdict, Verdict::kUnknown) << before;
        EXPECT_THAT(report.findings.at(0).detail, HasSubstr("nothing.so")) << before;
        *missing = before;
    }
    sources_.nccl.mode = CheckMode::kOff;
    EXPECT_FALSE(run().readings.nccl.asked);
}

TEST_F(NcclProbeRun, EveryModelIsHealthy) {
    for (const char* model : {"a100-hgx", "b200-hgx", "gb200-nvl72", "h100-pcie"}) {
        create(model);
        const Report report = run();
        EXPECT_EQ(report.verdict, Verdict::kHealthy) << model << ": " << causes(report);
        EXPECT_TRUE(report.readings.nccl.attempts.at(0).ended) << model;
    }
}

}  // namespace
}  // namespace yardmaster
