// Every fault on every model: the verdict and the first 20 characters of the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/faults/matrix_node.hpp"
#include "tests/sim/commands.hpp"

namespace yardmaster::faults {
namespace {

class FaultMatrix : public ::testing::TestWithParam<sim::SimModel> {
  protected:
    FaultMatrix() : node_(GetParam()) {}

    /// Two good runs leave counters to compare with, three also rates.
    void expect_healthy(Looking looking, unsigned runs) const {
        const Status created = node_.create();
        ASSERT_TRUE(created) << created.message();
        for (unsigned run = 1; run <= runs; ++run) {
            const Seen seen = node_.look_and_keep(looking);
            EXPECT_EQ(seen.report.verdict, Verdict::kHealthy) << "run " << run << seen.shown;
        }
    }
    void expect_row(const Fault& fault) const {
        const bool there = can_exist(fault.where, GetParam());
        const auto seen = node_.look_with(fault);
        if (!seen) {
            EXPECT_FALSE(there) << fault.commands << ": " << seen.status().message();
            return;
        }
        EXPECT_TRUE(as_expected(fault, GetParam(), *seen))
            << fault.commands << ": " << to_string(seen->report.verdict) << " \"" << seen->shown
            << "\", expected "
            << (there ? std::string(to_string(fault.verdict)) + " \"" +
                            shown_on(fault, GetParam()) + "\""
                      : "no drain");
    }
    void expect_rows(Looking looking) const {
        for (const Fault& fault : fault_table()) {
            if (fault.looking == looking) {
                expect_row(fault);
            }
        }
    }

    MatrixNode node_;
};

TEST_P(FaultMatrix, PassiveChecksSayWhatTheTableSays) {
    expect_healthy(Looking::kPassive, 2);
    expect_rows(Looking::kPassive);
}

TEST_P(FaultMatrix, RdmaProbeSaysWhatTheTableSays) {
    expect_healthy(Looking::kRdma, 3);
    expect_rows(Looking::kRdma);
}

TEST_P(FaultMatrix, NcclProbeSaysWhatTheTableSays) {
    if (!has_nccl_probe()) {
        GTEST_SKIP() << "built with YM_NCCL=OFF";
    }
    expect_healthy(Looking::kNccl, 3);
    expect_rows(Looking::kNccl);
}

INSTANTIATE_TEST_SUITE_P(AllModels,
                         FaultMatrix,
                         ::testing::ValuesIn(sim::sim_models()),
                         [](const auto& info) {
                             std::string name(info.param.name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

std::set<std::string> names_in_table() {
    std::set<std::string> names;
    for (const Fault& fault : fault_table()) {
        for (const auto& words : command_words(fault)) {
            names.insert(words[0]);
        }
    }
    return names;
}

/// Faults that only another node sees: one node's matrix cannot. crossnode_judge_test,
/// verbs_meter_test and tests/slurm/crossnode_test.py have them.
const std::set<std::string> kBetweenNodes = {"rdma-cut", "rdma-far-fault", "rdma-far-share"};

TEST(FaultTable, HasEveryCommandOfTheSimulatedNode) {
    std::set<std::string> covered = names_in_table();
    covered.insert(kBetweenNodes.begin(), kBetweenNodes.end());
    for (const auto& table : sim::command_tables()) {
        for (const auto& [name, command] : table) {
            EXPECT_EQ(covered.count(name), 1u) << name << " has no row in fault_table.cpp";
        }
    }
}

TEST(FaultTable, HidesNoCommandBehindAnotherOfItsName) {
    std::set<std::string> names;
    for (const auto& table : sim::command_tables()) {
        for (const auto& [name, command] : table) {
            EXPECT_TRUE(names.insert(name).second) << name << " is in two tables";
        }
    }
}

TEST(FaultTable, SaysWhyAFaultCannotExist) {
    for (const Fault& fault : fault_table()) {
        EXPECT_EQ(why_not(fault.where).empty(), fault.where == Where::kEverywhere);
        EXPECT_EQ(fault.shown.empty(), fault.verdict == Verdict::kHealthy) << fault.commands;
    }
}

}  // namespace
}  // namespace yardmaster::faults
