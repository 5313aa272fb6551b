// Every simulated model, healthy and with each fault of its GPUs, through the fake NVML library.
#include <gtest/gtest.h>

#include <set>

#include "healthcheck/checks.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/model.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster {
namespace {

using sim::SimGpu;

class ModelTest : public ::testing::TestWithParam<sim::SimModel> {
  protected:
    ModelTest() : node_(folder_.path()) {
        settings_ = sim::default_settings();
        const Status status = sim::set_model(settings_, std::string(GetParam().name));
        EXPECT_TRUE(status) << status.message();
        const Status created = node_.create(settings_);
        EXPECT_TRUE(created) << created.message();
        scope_.node = "n0";
        scope_.node_gpus = GetParam().gpus;
        for (unsigned gpu = 0; gpu < GetParam().gpus; ++gpu) {
            scope_.gpus.push_back(gpu);
        }
    }
    template <typename Change>
    void damage(unsigned minor, Change change) {
        ASSERT_TRUE(node_.heal());
        ASSERT_TRUE(node_.change_gpu(minor, change));
    }
    Report run() const {
        return run_checks(scope_,
                          {node_.sysfs_root(), node_.nvml_library()},
                          Clock::now() + std::chrono::seconds(60));
    }
    /// What the drain reason would begin with; "" when the node is not drained.
    std::string drain() const {
        const Report report = run();
        const Finding* finding = primary(report.findings);
        return report.verdict == Verdict::kDegraded ? finding->object + " " + finding->short_text
                                                    : "";
    }

    testing::ScratchFolder folder_;
    sim::SimNode node_;
    sim::NodeSettings settings_;
    CheckScope scope_;
};

TEST_P(ModelTest, HealthyNodeHasNoFinding) {
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kHealthy)
        << (report.findings.empty() ? "" : report.findings[0].detail);
    EXPECT_EQ(report.readings.gpus.size(), GetParam().gpus);
}

TEST_P(ModelTest, OlderLibrariesAreHealthyToo) {
    for (unsigned version : {0, 1, 2}) {
        ASSERT_TRUE(node_.change_scenario([&](sim::Scenario& scenario) {
            scenario.fabric_version = version;
            scenario.old_fields = version < 2;
            return Status::ok();
        }));
        EXPECT_EQ(run().verdict, Verdict::kHealthy) << version;
    }
}

TEST_P(ModelTest, GpuFaultsDrain) {
    damage(2, [](SimGpu& gpu) { gpu.missing = true; });
    EXPECT_EQ(drain(), "GPU2 missing");
    damage(1, [](SimGpu& gpu) { gpu.recovery_action = 1; });
    EXPECT_EQ(drain(), "GPU1 needs reset");
    damage(1, [](SimGpu& gpu) { gpu.recovery_action = 2; });
    EXPECT_EQ(drain(), "GPU1 needs reboot");
    damage(1, [](SimGpu& gpu) { gpu.remap_failed = true; });
    EXPECT_EQ(drain(), "GPU1 remap fail");
    damage(1, [](SimGpu& gpu) { gpu.ecc_uncorrected = 3; });
    EXPECT_EQ(drain(), "GPU1 ECC 3");
}

TEST_P(ModelTest, ThrottlingThatStaysDrainsAndIdlenessIsNothing) {
    damage(1, [](SimGpu& gpu) { gpu.clock_reasons = 0x40; });
    EXPECT_EQ(drain(), "GPU1 too hot");
    damage(1, [](SimGpu& gpu) { gpu.clock_reasons = 0x9; });
    EXPECT_EQ(run().verdict, Verdict::kHealthy);
}

TEST_P(ModelTest, InactiveLinkDrainsWhereTheModelPromisesIt) {
    const bool promised = GetParam().switched;
    damage(1, [](SimGpu& gpu) { gpu.links_down.push_back(2); });
    const std::string links = std::to_string(GetParam().links);
    EXPECT_EQ(drain(),
              promised ? "GPU1 NVLink " + std::to_string(GetParam().links - 1) + "/" + links : "");
}

TEST_P(ModelTest, AllLinksOfTwoGpusDownDrains) {
    ASSERT_TRUE(node_.change_scenario([](sim::Scenario& scenario) {
        for (SimGpu* gpu : {&scenario.gpus[1], &scenario.gpus[2]}) {
            for (unsigned link = 0; link < gpu->links; ++link) {
                gpu->links_down.push_back(link);
            }
        }
        return Status::ok();
    }));
    EXPECT_EQ(drain(),
              GetParam().switched ? "GPU1 NVLink 0/" + std::to_string(GetParam().links) : "");
}

TEST_P(ModelTest, MissingPathDrainsWhereTheModelPromisesNvlink) {
    damage(2, [](SimGpu& gpu) { gpu.no_path = {0, 1, 3}; });
    EXPECT_EQ(drain(), GetParam().switched ? "GPU2 no NVL path" : "");
}

TEST_P(ModelTest, FabricFaultsDrainWhereThereIsAFabric) {
    const bool fabric = GetParam().fabric.code == kNvmlSuccess;
    damage(2, [](SimGpu& gpu) { gpu.fabric.status = kNvmlUnknown; });
    EXPECT_EQ(drain(), fabric ? "GPU2 fabric error" : "");
    damage(2, [](SimGpu& gpu) { gpu.fabric.health = 0x1a9; });
    EXPECT_EQ(drain(), fabric ? "GPU2 NVL slow" : "");
    damage(2, [](SimGpu& gpu) { gpu.fabric.clique = 5; });
    EXPECT_EQ(drain(), fabric ? "GPU2 NVL split" : "");
    damage(2, [](SimGpu& gpu) { gpu.fabric.state = kFabricInProgress; });
    EXPECT_EQ(run().verdict, fabric ? Verdict::kUnknown : Verdict::kHealthy);
}

TEST_P(ModelTest, ErrorRateIsReadFromBlackwellOn) {
    damage(2, [](SimGpu& gpu) { gpu.link_fields = {{222, 7, 0x209}}; });  // symbol BER 2e-9
    const Report report = run();
    ASSERT_EQ(report.findings.size(), GetParam().nvlink5 ? 1u : 0u);
    if (GetParam().nvlink5) {
        EXPECT_EQ(report.findings[0].short_text, "BER 2e-09");
        EXPECT_EQ(report.verdict, Verdict::kUnknown);
    }
}

TEST_P(ModelTest, ErrorCountersAreReadLinkByLink) {
    const bool nvlink5 = GetParam().nvlink5;
    damage(0, [&](SimGpu& gpu) { gpu.link_fields = {{nvlink5 ? 215u : 162u, 5, 12}}; });
    const Report report = run();
    const auto& fields = report.readings.gpus.at(0).nvlink.fields;
    const auto field = fields.find(nvlink5 ? "link_recovery" : "recovery");
    ASSERT_NE(field, fields.end());
    ASSERT_EQ(field->second.size(), GetParam().links);
    EXPECT_EQ(field->second[5], (NvmlNumber{kNvmlSuccess, 12}));
    EXPECT_EQ(fields.count(nvlink5 ? "crc" : "link_recovery"), 0u) << "of another generation";
}

TEST_P(ModelTest, EveryGpuHasAPciAddressOfItsOwn) {
    const Report report = run();
    std::set<std::string> addresses;
    for (const GpuReading& gpu : report.readings.gpus) {
        addresses.insert(gpu.pci);
    }
    EXPECT_EQ(addresses.size(), GetParam().gpus);
}

INSTANTIATE_TEST_SUITE_P(AllModels,
                         ModelTest,
                         ::testing::ValuesIn(sim::sim_models()),
                         [](const auto& info) {
                             std::string name(info.param.name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(SimModel, TrayHasDomainsWithOneBusNumber) {
    const testing::ScratchFolder folder;
    const sim::SimNode node(folder.path());
    sim::NodeSettings settings = sim::default_settings();
    ASSERT_TRUE(sim::set_model(settings, "gb200-nvl72"));
    ASSERT_TRUE(node.create(settings));
    CheckScope scope;
    scope.gpus = {0, 1};
    const Report report = run_checks(
        scope, {node.sysfs_root(), node.nvml_library()}, Clock::now() + std::chrono::seconds(60));
    ASSERT_EQ(report.readings.gpus.size(), 4u);
    EXPECT_EQ(report.readings.gpus[0].pci, "00000008:04:00.0");
    EXPECT_EQ(report.readings.gpus[1].pci, "00000009:04:00.0");
}

TEST(SimModel, UnknownNameIsRefusedWithTheNamesThereAre) {
    sim::NodeSettings settings = sim::default_settings();
    const Status status = sim::set_model(settings, "b300-hgx");
    EXPECT_EQ(status.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(status.message().find("gb200-nvl72"), std::string::npos);
}

}  // namespace
}  // namespace yardmaster
