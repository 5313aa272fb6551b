// Daemons, clocks, fabric, policy and hardware of one host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(DoctorDaemons, HealthySiteHasNothingWrong) {
    const Site site;
    EXPECT_THAT(wrong(site.controller(check_daemons)), IsEmpty());
    const auto node = site.node(check_daemons);
    EXPECT_THAT(wrong(node), IsEmpty());
    EXPECT_EQ(worst(node, "clock"), Severity::kOk);
    EXPECT_EQ(worst(node, "munge"), Severity::kOk);
}

TEST(DoctorDaemons, SilentControllerIsAnError) {
    Site site;
    site.answer_error = {ErrorCode::kUnavailable, "connect failure"};
    const auto findings = site.controller(check_daemons);
    EXPECT_EQ(worst(findings, "slurmctld"), Severity::kError);
    EXPECT_THAT(words(findings, "slurmctld"), HasSubstr("connect failure"));
    EXPECT_EQ(worst(site.node(check_daemons), "clock"), Severity::kNotChecked);
}

TEST(DoctorDaemons, SlurmdIsWantedOnANode) {
    Site site;
    EXPECT_EQ(worst(site.node(check_daemons), "slurmd"), Severity::kOk);
    site.processes.clear();
    EXPECT_EQ(worst(site.node(check_daemons), "slurmd"), Severity::kError);
    EXPECT_EQ(worst(site.controller(check_daemons), "slurmd"), std::nullopt);
}

TEST(DoctorDaemons, MungeIsAskedAtSlurmsSocket) {
    Site site;
    site.set("AuthInfo", "cred_expire=60,socket=/run/other.socket");
    site.host.munge_round_trip = [](const std::string& socket) {
        return Status(ErrorCode::kUnavailable, "failed at " + socket);
    };
    const auto findings = site.node(check_daemons);
    EXPECT_EQ(worst(findings, "munge"), Severity::kError);
    EXPECT_THAT(words(findings, "munge"), HasSubstr("failed at /run/other.socket"));
}

TEST(DoctorDaemons, OtherAuthNeedsNoMunge) {
    Site site;
    site.host.munge_round_trip = [](const std::string&) {
        return Status(ErrorCode::kUnavailable, "no munged");
    };
    site.set("AuthType", "auth/slurm");
    EXPECT_EQ(worst(site.node(check_daemons), "munge"), Severity::kOk);
}

TEST(DoctorDaemons, AbsentLibmungeIsNotChecked) {
    Site site;
    site.host.munge_round_trip = [](const std::string&) {
        return Status(ErrorCode::kNotFound, "no libmunge");
    };
    EXPECT_EQ(worst(site.node(check_daemons), "munge"), Severity::kNotChecked);
}

TEST(DoctorClock, DifferencesAreJudgedByCredentialLife) {
    Site site;
    const auto clock_off_by = [&](std::time_t seconds) {
        site.answer.time = site.answer.asked + seconds;
        return worst(site.node(check_daemons), "clock");
    };
    EXPECT_EQ(clock_off_by(6), Severity::kOk);  // 5 s and the second that is cut off
    EXPECT_EQ(clock_off_by(-6), Severity::kOk);
    EXPECT_EQ(clock_off_by(7), Severity::kWarning);
    EXPECT_EQ(clock_off_by(-7), Severity::kWarning);
    EXPECT_EQ(clock_off_by(121), Severity::kError);
    site.set("AuthInfo", "cred_expire=300");
    EXPECT_EQ(clock_off_by(121), Severity::kWarning);
}

TEST(DoctorClock, SlowAnswerIsNoSkew) {
    Site site;
    site.answer.answered = site.answer.asked + 60;
    site.answer.time = site.answer.asked + 30;
    EXPECT_EQ(worst(site.node(check_daemons), "clock"), Severity::kOk);
}

TEST(DoctorClock, ControllerCannotTell) {
    const auto findings = Site().controller(check_daemons);
    EXPECT_EQ(worst(findings, "clock"), Severity::kNotChecked);
    EXPECT_THAT(words(findings, "clock"), HasSubstr("on a node: yardmaster doctor node"));
}

TEST(DoctorFabric, MatchingFileIsRight) {
    const Site site;
    const auto findings = site.controller(check_fabric);
    EXPECT_THAT(wrong(findings), IsEmpty());
    EXPECT_EQ(worst(findings, "fabric-nodes"), Severity::kOk);
    EXPECT_EQ(worst(site.node(check_fabric), "fabric-node"), Severity::kOk);
}

TEST(DoctorFabric, UnusableFileIsAnError) {
    Site site;
    site.write("/etc/slurm/fabric.json", "{");
    EXPECT_EQ(worst(site.controller(check_fabric), "fabric"), Severity::kError);
    site.remove("/etc/slurm/fabric.json");
    EXPECT_THAT(words(site.node(check_fabric), "fabric"), HasSubstr("write the file"));
}

TEST(DoctorFabric, DifferencesFromSlurmAreWarnings) {
    Site site;
    site.answer.nodes.pop_back();
    site.answer.nodes[0].gpus = 4;
    const auto findings = site.controller(check_fabric);
    EXPECT_EQ(worst(findings, "fabric"), Severity::kWarning);
    EXPECT_EQ(worst(findings, "fabric-nodes"), std::nullopt);
    EXPECT_EQ(wrong(findings).size(), 2U);
}

TEST(DoctorFabric, WithoutControllerNodesAreNotChecked) {
    Site site;
    site.answer_error = {ErrorCode::kUnavailable, "no answer"};
    EXPECT_EQ(worst(site.controller(check_fabric), "fabric-nodes"), Severity::kNotChecked);
}

TEST(DoctorFabric, NodeThatTheFileLacksIsAWarning) {
    EXPECT_EQ(worst(Site().node(check_fabric, "zoo1"), "fabric-node"), Severity::kWarning);
}

TEST(DoctorFabric, HostWithoutANodeNameIsSaidToBeOne) {
    Site site;
    EXPECT_EQ(worst(site.node(check_fabric, ""), "fabric-node"), Severity::kWarning);
    site.add("NodeName", "a[1-2] NodeHostname=ctl1");
    EXPECT_EQ(worst(site.node(check_fabric, ""), "fabric-node"), Severity::kNotChecked);
}

TEST(DoctorPolicy, AbsentFileMeansDefaults) {
    const Site site;
    const auto findings = site.node(check_policy);
    EXPECT_THAT(wrong(findings), IsEmpty());
    EXPECT_THAT(words(findings, "policy"), HasSubstr("the defaults hold"));
    EXPECT_EQ(worst(findings, "evidence"), Severity::kOk);
}

TEST(DoctorPolicy, BrokenFileIsAnError) {
    Site site;
    site.write("/etc/slurm/yardmaster.json", R"({"health": {"enforce": "yes"}})");
    const auto findings = site.node(check_policy);
    EXPECT_EQ(worst(findings, "policy"), Severity::kError);
    EXPECT_THAT(words(findings, "policy"), HasSubstr("$.health.enforce"));
}

TEST(DoctorPolicy, ReportOnlyAndSimulationAreSaid) {
    Site site;
    EXPECT_EQ(worst(site.node(check_policy), "enforce"), std::nullopt);
    EXPECT_EQ(worst(site.node(check_policy), "simulated"), std::nullopt);
    site.write("/etc/slurm/yardmaster.json",
               R"({"health": {"enforce": false, "sysfs_root": "/tmp/sys"}})");
    EXPECT_EQ(worst(site.node(check_policy), "enforce"), Severity::kNote);
    EXPECT_EQ(worst(site.node(check_policy), "simulated"), Severity::kWarning);
}

TEST(DoctorPolicy, WeightsThatAreNotTheDefaultsAreNamed) {
    Site site;
    EXPECT_EQ(worst(site.controller(check_policy), "weights"), Severity::kOk);
    site.write("/etc/slurm/yardmaster.json", R"({"placement": {"hidden": 8192}})");
    const auto findings = site.controller(check_policy);
    EXPECT_EQ(worst(findings, "weights"), Severity::kNote);
    EXPECT_THAT(words(findings, "weights"),
                HasSubstr("weights=e7c27389 | hidden 8192 (default 16384)"));
}

TEST(DoctorPolicy, EachSectionIsJudgedAlone) {
    Site site;
    site.write("/etc/slurm/yardmaster.json", R"({"placement": {"hiden": 8192}})");
    const auto findings = site.controller(check_policy);
    EXPECT_EQ(worst(findings, "weights"), Severity::kError);
    EXPECT_THAT(words(findings, "weights"), HasSubstr("$.placement.hiden: unknown key"));
    EXPECT_EQ(worst(findings, "policy"), Severity::kOk);
    site.write("/etc/slurm/yardmaster.json", R"({"health": {"enforce": "yes"}})");
    EXPECT_EQ(worst(site.controller(check_policy), "weights"), Severity::kOk);
}

TEST(DoctorPolicy, EvidenceFolderMustBeRootsOwn) {
    Site site;
    const std::string folder = "/var/lib/yardmaster/evidence";
    site.make_folder(folder, 0700);
    EXPECT_EQ(worst(site.node(check_policy), "evidence"), Severity::kOk);
    site.make_folder(folder, 0777);
    EXPECT_EQ(worst(site.node(check_policy), "evidence"), Severity::kWarning);
    site.remove(folder);
    site.write(folder, "");
    EXPECT_EQ(worst(site.node(check_policy), "evidence"), Severity::kError);
    EXPECT_EQ(worst(site.controller(check_policy), "evidence"), std::nullopt);
}

TEST(DoctorPolicy, SpaceIsThatOfTheNearestFolder) {
    const auto findings = Site().node(check_policy);
    EXPECT_THAT(words(findings, "evidence-space"), HasSubstr(" MiB free | / |"));
}

TEST(DoctorHardware, HealthyNodeHasNothingWrong) {
    const Site site;
    const auto findings = site.node(check_hardware);
    EXPECT_THAT(wrong(findings), IsEmpty());
    EXPECT_THAT(words(findings, "nvml"), HasSubstr("driver 550.54.15, 8 GPUs"));
    EXPECT_EQ(worst(findings, "adapters"), Severity::kOk);
    EXPECT_EQ(worst(findings, "dry-run"), Severity::kOk);
    EXPECT_THAT(site.controller(check_hardware), IsEmpty());
}

TEST(DoctorHardware, AbsentNvmlIsAnError) {
    Site site;
    site.report.readings.nvml = {};
    site.report.readings.nvml.error = "libnvidia-ml.so.1: cannot open";
    const auto findings = site.node(check_hardware);
    EXPECT_EQ(worst(findings, "nvml"), Severity::kError);
    EXPECT_THAT(words(findings, "nvml"), HasSubstr("libnvidia-ml.so.1: cannot open"));
}

TEST(DoctorHardware, AdaptersThatTheNodeLacksAreNamed) {
    Site site;
    site.report.readings.inventory.devices = {"mlx5_0", "mlx5_bond_0"};
    const auto findings = site.node(check_hardware);
    EXPECT_EQ(worst(findings, "adapters"), Severity::kError);
    EXPECT_THAT(words(findings, "adapters"),
                HasSubstr("mlx5_1 absent; here are mlx5_0, mlx5_bond"));
}

TEST(DoctorHardware, NodeWithoutRdmaIsAnErrorOnlyWhereRailsArePromised) {
    Site site;
    site.report.readings.inventory = {false, {}, "no such folder"};
    EXPECT_EQ(worst(site.node(check_hardware), "adapters"), Severity::kError);
    site.report.scope.node_rails.clear();
    EXPECT_EQ(worst(site.node(check_hardware), "adapters"), std::nullopt);
}

TEST(DoctorHardware, VerdictOfTheDryRunIsPassedOn) {
    Site site;
    yardmaster::Finding slow;
    slow.object = "mlx5_1";
    slow.detail = "runs at 100 Gb/sec";
    slow.verdict = Verdict::kDegraded;
    site.report.findings = {slow};
    site.report.verdict = Verdict::kDegraded;
    auto findings = site.node(check_hardware);
    EXPECT_EQ(worst(findings, "dry-run"), Severity::kError);
    EXPECT_THAT(words(findings, "dry-run"), HasSubstr("mlx5_1: runs at 100 Gb/sec"));
    site.report.verdict = Verdict::kUnknown;
    findings = site.node(check_hardware);
    EXPECT_EQ(worst(findings, "dry-run"), Severity::kWarning);
    EXPECT_THAT(words(findings, "dry-run"), HasSubstr("only syslog says so"));
}

TEST(DoctorHardware, NodeWithoutGpusIsANote) {
    Site site;
    site.host.check_node = [](const CheckOptions&) {
        return Result<Report>(ErrorCode::kNotFound, "the fabric file names no GPUs");
    };
    EXPECT_EQ(worst(site.node(check_hardware), "dry-run"), Severity::kNote);
    site.host.check_node = [](const CheckOptions&) {
        return Result<Report>(ErrorCode::kTimeout, "hangs");
    };
    EXPECT_EQ(worst(site.node(check_hardware), "dry-run"), Severity::kNotChecked);
}

TEST(DoctorHardware, DeviceFilesOfGresConfMustBeThere) {
    Site site;
    EXPECT_EQ(worst(site.node(check_hardware), "gpu-files"), std::nullopt);
    site.write("/etc/slurm/gres.conf",
               "NodeName=yard[02-16] Name=gpu File=/dev/other\n"
               "NodeName=yard01 Name=gpu Type=h100 File=/dev/nvidia[0-1],/dev/last\n");
    site.write("/dev/nvidia0", "a plain file");
    const auto findings = site.node(check_hardware);
    EXPECT_EQ(worst(findings, "gpu-files"), Severity::kError);
    EXPECT_THAT(words(findings, "gpu-files"), HasSubstr("/dev/nvidia0, /dev/nvidia1, /dev/last |"));
    EXPECT_THAT(words(findings, "gpu-files"), Not(HasSubstr("/dev/other")));
}

TEST(DoctorHardware, DeviceFilesOnTheMachineAreFound) {
    Site site;  // /dev/zero is a character device that every machine has
    std::filesystem::create_directories(site.real("/dev"));
    std::filesystem::create_symlink("/dev/zero", site.real("/dev/nvidia0"));
    site.write("/etc/slurm/gres.conf", "Name=gpu File=/dev/nvidia0\n");
    EXPECT_EQ(worst(site.node(check_hardware), "gpu-files"), Severity::kOk);
}

}  // namespace
}  // namespace yardmaster::cli::doctor
