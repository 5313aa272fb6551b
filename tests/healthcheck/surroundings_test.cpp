// Whole checks on simulated nodes: counters, roles, addresses, PCIe and wiring. The numbers in
// comments are the rows of the table of what goes wrong in such tools.
#include <gmock/gmock.h>

#include <filesystem>

#include "healthcheck/evidence.hpp"
#include "healthcheck/judge.hpp"
#include "tests/healthcheck/simulated_node.hpp"
#include "tests/sim/model.hpp"

namespace yardmaster {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class Surroundings : public testing::SimulatedNode {
  protected:
    void create_as(const std::string& model) {
        ASSERT_TRUE(sim::set_model(settings_, model));
        expect_all();
        create();
    }
    void create_with(unsigned virtual_functions, bool two_ports) {
        settings_.virtual_functions = virtual_functions;
        settings_.two_ports = two_ports;
        create();
    }
};

TEST_F(Surroundings, EveryModelIsHealthyTwice) {
    for (const sim::SimModel& model : sim::sim_models()) {
        create_as(std::string(model.name));
        for (int i = 0; i < 2; ++i) {
            const Report report = run_and_keep();
            EXPECT_EQ(report.verdict, Verdict::kHealthy) << model.name << ": " << objects(report);
            EXPECT_TRUE(report.readings.wiring.read) << report.readings.wiring.error;
            EXPECT_FALSE(report.readings.pci.empty());
        }
    }
}

TEST_F(Surroundings, SaturatedCounterIsHealthyAndNoted) {  // 1
    ASSERT_TRUE(node_.set_counter("mlx5_3", "counters/link_downed", "255"));
    run_and_keep();
    const Report report = run_and_keep();
    EXPECT_EQ(report.verdict, Verdict::kHealthy);
    EXPECT_THAT(report.readings.notes, Contains(HasSubstr("mlx5_3 link_downed: saturated")));
}

TEST_F(Surroundings, SecondPortThatWasNeverUsedIsIgnored) {  // 2
    create_with(0, true);
    EXPECT_EQ(run().verdict, Verdict::kHealthy);
}

TEST_F(Surroundings, DefaultRoutesNicIsNoRail) {  // 3
    run_and_keep();
    ASSERT_TRUE(node_.grow_counter("mlx5_bond_0", "counters/link_downed", 1));
    const Report report = run_and_keep();
    EXPECT_EQ(report.verdict, Verdict::kHealthy);
    EXPECT_THAT(report.readings.notes, Contains(HasSubstr("mlx5_bond_0 default route")));
}

TEST_F(Surroundings, SlowEthernetPortBesideRailsIsHealthy) {  // 4
    ASSERT_TRUE(node_.set_rate("mlx5_bond_0", 40));
    EXPECT_EQ(run().verdict, Verdict::kHealthy);
}

TEST_F(Surroundings, CounterWithoutANumberLeavesTheRestJudged) {  // 6
    run_and_keep();
    ASSERT_TRUE(node_.set_counter("mlx5_3", "counters/symbol_error", "N/A (no PMA)"));
    ASSERT_TRUE(node_.grow_counter("mlx5_3", "counters/link_downed", 1));
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_THAT(objects(report), HasSubstr("mlx5_3 flapped"));
}

TEST_F(Surroundings, DeadRailIsNamed) {  // 8
    ASSERT_TRUE(node_.set_port("mlx5_3", "1: DOWN", "2: Polling"));
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kDegraded);
    EXPECT_EQ(primary(report.findings)->object, "mlx5_3");
}

TEST_F(Surroundings, VirtualFunctionAsARailIsUnknownWithoutCounters) {  // 9
    create_with(1, false);
    scope_.gpus = {0};
    scope_.rails = {{"mlx5_0_vf0", 1, 400, {0}}};
    scope_.node_rails = {"mlx5_0_vf0"};
    scope_.wiring = false;
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kUnknown) << objects(report);
}

TEST_F(Surroundings, MissingManagementDeviceIsHealthy) {  // 10
    ASSERT_TRUE(node_.remove_nic("mlx5_bond_0"));
    EXPECT_EQ(run().verdict, Verdict::kHealthy);
}

TEST_F(Surroundings, SameBusNumberInTwoDomainsIsTwoDevices) {  // 28
    ASSERT_EQ(node_.read_address("GPU0").substr(5), node_.read_address("GPU4").substr(5));
    ASSERT_TRUE(node_.set_width("GPU4", 8));
    EXPECT_EQ(objects(run()), "GPU4 PCIe x8/16; ");
}

TEST_F(Surroundings, DozensOfVirtualFunctionsBelongToTheirPhysicalOne) {  // 31
    create_with(12, false);
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kHealthy) << objects(report);
    EXPECT_THAT(report.readings.notes,
                Contains(HasSubstr("mlx5_0 rail (12 virtual functions), mlx5_1 rail (12")));
}

TEST_F(Surroundings, FlapIsReportedOnceAndARebootForgets) {
    run_and_keep();
    ASSERT_TRUE(node_.grow_counter("mlx5_3", "counters/link_downed", 1));
    const Report flapped = run_and_keep();
    EXPECT_EQ(objects(flapped), "mlx5_3 flapped; ");
    EXPECT_EQ(flapped.verdict, Verdict::kUnknown);
    EXPECT_EQ(run_and_keep().verdict, Verdict::kHealthy) << "one event, one finding";
    ASSERT_TRUE(node_.grow_counter("mlx5_3", "counters/link_downed", 1));
    ASSERT_TRUE(node_.reboot());
    EXPECT_EQ(run_and_keep().verdict, Verdict::kHealthy);
}

TEST_F(Surroundings, DamagedBaselineIsNotedAndReplaced) {
    testing::write_file(folder_ / "state/counters.json", "{\"format\": 1, \"boot");
    const Report report = run_and_keep();
    EXPECT_EQ(report.verdict, Verdict::kHealthy);
    EXPECT_THAT(report.readings.notes, Contains(HasSubstr("counters.json")));
    EXPECT_TRUE(run().readings.baseline.objects.count("mlx5_3") == 1);
}

TEST_F(Surroundings, NarrowSlotAboveASwitchIsFound) {
    ASSERT_TRUE(node_.set_width("0000:21:00.0", 8));
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kDegraded);
    EXPECT_EQ(objects(report), "0000:20:01.0 x8/16; ");
}

TEST_F(Surroundings, PcieErrorsAndGenerationAreTwoSigns) {
    run_and_keep();
    ASSERT_TRUE(node_.set_aer("GPU2", "nonfatal", 3));
    EXPECT_EQ(run().verdict, Verdict::kUnknown);
    ASSERT_TRUE(node_.set_max_speed("GPU2", 16));
    EXPECT_EQ(run().verdict, Verdict::kDegraded);
}

TEST_F(Surroundings, SwappedNicsAreToldWithTheExceptionToWrite) {
    ASSERT_TRUE(node_.swap_nics("mlx5_2", "mlx5_8"));
    const Report report = run();
    EXPECT_EQ(primary(report.findings)->sign, "port.rate") << "mlx5_2 is the 200 Gb/s NIC now";
    ASSERT_TRUE(node_.heal());
    ASSERT_TRUE(node_.swap_nics("mlx5_2", "mlx5_3"));
    const Report swapped = run();
    EXPECT_EQ(swapped.verdict, Verdict::kUnknown);
    ASSERT_EQ(swapped.findings.size(), 2u) << objects(swapped);
    EXPECT_THAT(swapped.findings[0].detail,
                HasSubstr("{\"node\": \"n0\", \"gpu\": 2, \"nic\": \"mlx5_3\"}"));
    scope_.wiring = false;
    EXPECT_EQ(run().verdict, Verdict::kHealthy);
}

TEST_F(Surroundings, WithoutAFabricFileTheNearestNicsAreLookedAtButNeverDrain) {
    scope_.rails.clear();
    scope_.node_rails.clear();
    scope_.rails_unknown = "fabric.json: no such file";
    run_and_keep();
    ASSERT_TRUE(node_.set_port("mlx5_5", "1: DOWN", "2: Polling"));
    ASSERT_TRUE(node_.set_port("mlx5_bond_0", "1: DOWN", "2: Polling"));
    ASSERT_TRUE(node_.grow_counter("mlx5_1", "counters/link_downed", 1));
    const Report report = run();
    EXPECT_EQ(report.verdict, Verdict::kUnknown);
    EXPECT_THAT(objects(report), HasSubstr("mlx5_5 "));
    EXPECT_THAT(objects(report), HasSubstr("mlx5_1 flapped"));
    EXPECT_EQ(objects(report).find("mlx5_bond_0"), std::string::npos);
}

TEST_F(Surroundings, RoceRailNeedsAnAddress) {
    create_as("h100-hgx-roce");
    ASSERT_TRUE(node_.unroute_gids("mlx5_3"));
    EXPECT_EQ(objects(run()), "mlx5_3 no v2 GID; ");
    ASSERT_TRUE(node_.netdev_down("mlx5_3"));
    EXPECT_EQ(run().verdict, Verdict::kDegraded) << "two signs";
    ASSERT_TRUE(node_.heal());
    ASSERT_TRUE(node_.empty_gids("mlx5_3"));
    EXPECT_EQ(run().verdict, Verdict::kDegraded);
}

TEST_F(Surroundings, EvidenceReplaysWithItsBaseline) {
    run_and_keep();
    ASSERT_TRUE(node_.grow_counter("mlx5_3", "counters/link_downed", 1));
    ASSERT_TRUE(node_.set_width("GPU4", 8));
    Evidence evidence;
    evidence.id = make_evidence_id("n0", 1, 1700000000);
    evidence.report = run_and_keep();
    const auto document = JsonDocument::parse(to_json(evidence).dump_exact());
    Evidence read;
    ASSERT_TRUE(from_json(document->root(), read));
    EXPECT_EQ(to_json(read).dump_exact(), to_json(evidence).dump_exact());
    const auto replayed = judge(read.report.scope, read.report.readings);
    ASSERT_EQ(replayed.size(), evidence.report.findings.size());
    for (std::size_t i = 0; i < replayed.size(); ++i) {
        EXPECT_EQ(replayed[i].detail, evidence.report.findings[i].detail);
    }
}

}  // namespace
}  // namespace yardmaster
