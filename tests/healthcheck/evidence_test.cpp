#include "healthcheck/evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "healthcheck/judge.hpp"
#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster {
namespace {

namespace fs = std::filesystem;
using testing::ScratchFolder;

/// A report with something in every member.
Evidence sample(std::time_t time = 1700000000) {
    Evidence evidence;
    evidence.version = "0.1.0";
    evidence.time = time;
    evidence.id = make_evidence_id("yard07", 1234, time);
    evidence.action = {true, "drained", "", "ym mlx5_3 100/400Gb job 1234"};
    Report& report = evidence.report;
    report.scope.node = "yard07";
    report.scope.job = 1234;
    report.scope.gpus = {0, 3};
    report.scope.node_gpus = 8;
    report.scope.rails = {{"mlx5_3", 1, 400}};
    report.scope.node_rails = {"mlx5_0", "mlx5_3"};
    report.readings.inventory = {true, {"mlx5_0", "mlx5_3"}, ""};
    PortReading port;
    port.device = "mlx5_3";
    port.present = true;
    port.state = "4: ACTIVE";
    port.phys_state = "5: LinkUp";
    port.rate = "100 Gb/sec (4X EDR)";
    port.counters["counters/link_downed"] = {UINT64_MAX, ""};
    port.counters["counters/symbol_error"] = {std::nullopt, "N/A (no PMA)"};
    report.readings.ports = {port};
    report.readings.nvml.loaded = true;
    report.readings.nvml.device_count = {kNvmlSuccess, 1};
    GpuReading gpu;
    gpu.handle_code = kNvmlSuccess;
    gpu.minor = {kNvmlSuccess, 0};
    gpu.model = "NVIDIA H100 80GB HBM3";
    gpu.nvlinks = {{kNvmlSuccess, 1}, {kNvmlNotSupported, 0}};
    gpu.recovery_action = {kNvmlSuccess, 1};
    gpu.clock_reasons = {kNvmlSuccess, 0x40};
    gpu.pcie.width = {kNvmlSuccess, 16};
    gpu.nvlink.switch_links = {kNvmlSuccess, 18};
    gpu.nvlink.fabric = {
        0, 3, kFabricCompleted, 4, 2, "00000001-0000-0000-0000-000000000001", 1, 2};
    gpu.nvlink.fields["crc"] = {{kNvmlSuccess, UINT64_MAX}, {kNvmlNotSupported, 0}};
    gpu.nvlink.peers = {{1, {kNvmlSuccess, 5}}};
    report.readings.gpus = {gpu};
    report.readings.simulated = {"sysfs root is /tmp/x"};
    report.findings = judge(report.scope, report.readings);
    report.verdict = combine(report.findings);
    report.took = std::chrono::milliseconds(17);
    return evidence;
}

TEST(Evidence, ReadsBackAndReplaysToTheSameVerdict) {
    const ScratchFolder folder;
    const Evidence written = sample();
    ASSERT_TRUE(write_evidence(written, folder / "evidence"));
    const auto read = load_evidence(folder / "evidence/yard07-1234-1700000000.json");
    ASSERT_TRUE(read) << read.status().message();
    EXPECT_EQ(to_json(*read).dump_exact(), to_json(written).dump_exact());
    EXPECT_EQ(read->report.readings.ports[0].counters.at("counters/link_downed").value, UINT64_MAX);
    const auto replayed = judge(read->report.scope, read->report.readings);
    EXPECT_EQ(combine(replayed), Verdict::kDegraded);
    ASSERT_EQ(replayed.size(), written.report.findings.size());
    for (std::size_t i = 0; i < replayed.size(); ++i) {
        EXPECT_EQ(replayed[i].detail, written.report.findings[i].detail);
    }
}

/// Evidence as version 0.1.0 wrote it of a GPU: without what newer versions read.
TEST(Evidence, OlderReadingsOfAGpuReplayWithoutNewFindings) {
    const char* text = R"({"index": 0, "handle_code": 0, "minor": [0, 0],
        "model": "NVIDIA H100 80GB HBM3", "uuid": "GPU-0", "pci": "00000000:19:00.0",
        "mig_mode": [0, 0], "ecc_uncorrected": [0, 0], "remap_pending": [0, 0],
        "remap_failed": [0, 0], "nvlinks": []})";
    auto document = JsonDocument::parse(text);
    ASSERT_TRUE(document);
    Readings readings;
    readings.nvml.loaded = true;
    readings.nvml.device_count = {kNvmlSuccess, 1};
    readings.gpus.emplace_back();
    const Status status = from_json(document->root(), readings.gpus[0]);
    ASSERT_TRUE(status) << status.message();
    readings.gpus[0].nvlinks.assign(18, {kNvmlSuccess, 1});
    CheckScope scope;
    scope.gpus = {0};
    EXPECT_TRUE(judge(scope, readings).empty());
}

TEST(Evidence, IsForRootAloneAndLeavesNoTemporaryFile) {
    const ScratchFolder folder;
    ASSERT_TRUE(write_evidence(sample(), folder / "deep/evidence"));
    struct stat status {};
    ASSERT_EQ(stat((folder / "deep/evidence").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    ASSERT_EQ(stat((folder / "deep/evidence/yard07-1234-1700000000.json").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "deep/evidence"), {}), 1);
}

TEST(Evidence, PlantedLinkIsReplacedNotFollowed) {
    const ScratchFolder folder;
    testing::write_file(folder / "victim", "untouched");
    fs::create_symlink(folder / "victim", folder / "yard07-1234-1700000000.json");
    ASSERT_TRUE(write_evidence(sample(), folder.path()));
    std::string text;
    std::getline(std::ifstream(folder / "victim"), text);
    EXPECT_EQ(text, "untouched");
}

TEST(Evidence, UnwritablePlaceIsAnErrorValue) {
    const ScratchFolder folder;
    testing::write_file(folder / "file", "in the way");
    EXPECT_EQ(write_evidence(sample(), folder / "file/evidence").code(), ErrorCode::kUnreadable);
    EXPECT_EQ(write_evidence(sample(), "/dev/full/evidence").code(), ErrorCode::kUnreadable);
}

TEST(Evidence, ListIsByTimeAndIgnoresOtherFiles) {
    const ScratchFolder folder;
    ASSERT_TRUE(write_evidence(sample(1700000300), folder.path()));
    ASSERT_TRUE(write_evidence(sample(1700000100), folder.path()));
    testing::write_file(folder / "notes.json", "{}");
    EXPECT_THAT(*list_evidence(folder.path()),
                ::testing::ElementsAre("yard07-1234-1700000100", "yard07-1234-1700000300"));
    EXPECT_EQ(list_evidence(folder / "none").status().code(), ErrorCode::kNotFound);
}

TEST(Evidence, OldestGoWhenThereAreTooMany) {
    const ScratchFolder folder;
    for (std::size_t i = 0; i < kMaxEvidenceFiles; ++i) {
        testing::write_file(folder / (make_evidence_id("n0", 1, 1000 + i) + ".json"), "{}");
    }
    ASSERT_TRUE(write_evidence(sample(), folder.path()));
    const auto ids = list_evidence(folder.path());
    EXPECT_EQ(ids->size(), kMaxEvidenceFiles);
    EXPECT_EQ(ids->front(), "n0-1-1001");
    EXPECT_EQ(ids->back(), "yard07-1234-1700000000");
}

TEST(Evidence, DamagedFilesAreNamedErrors) {
    const ScratchFolder folder;
    testing::write_file(folder / "a.json", "{\"format\": 1}");
    testing::write_file(folder / "b.json", "{\"format\": 2}");
    testing::write_file(folder / "c.json", "[]");
    EXPECT_EQ(load_evidence(folder / "a.json").status().code(), ErrorCode::kMalformed);
    EXPECT_EQ(load_evidence(folder / "b.json").status().code(), ErrorCode::kUnsupported);
    EXPECT_EQ(load_evidence(folder / "c.json").status().code(), ErrorCode::kMalformed);
}

TEST(EvidenceId, FormIsChecked) {
    EXPECT_TRUE(is_evidence_id("yard07-1234-1700000000"));
    EXPECT_TRUE(is_evidence_id("yard-07.x-1234-1700000000"));
    for (const char* id : {"", "yard07", "-1-2", "../x-1-2", ".x-1-2", "x-1-", "x--2", "x-a-2"}) {
        EXPECT_FALSE(is_evidence_id(id)) << id;
    }
}

}  // namespace
}  // namespace yardmaster
