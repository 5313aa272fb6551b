// Weights of yardmaster.json on their way into decisions, receipts and the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;

/// Two nodes with slow NICs in one leaf group, fast ones in two others.
constexpr const char* kSlowLeafGroup = R"({
  "version": 1,
  "node_types": {"slow": {"gpus": 1, "rails": [{"nic": "m0", "gbps": 200}]},
                 "fast": {"gpus": 1, "rails": [{"nic": "m0", "gbps": 400}]}},
  "nodes": {"n[0-1]": "slow", "n[2-7]": "fast"},
  "switches": [{"name": "core", "oversubscription": 1, "children": [
    {"name": "a", "oversubscription": 1, "nodes": "n[0-1]"},
    {"name": "b", "oversubscription": 1, "nodes": "n[2-3]"},
    {"name": "c", "oversubscription": 1, "nodes": "n[4-7]"}]}]
})";
const NodeSet kSlowTogether{0, 1};
const NodeSet kFastApart{2, 4};

/// Has the slow leaf group and one node of each fast one to give.
class Weights : public ::testing::Test {
  protected:
    Weights() {
        for (FakeNode& node : host.nodes) {
            node.gpus = node.free_gpus = 1;
        }
        for (const int taken : {3, 5, 6, 7}) {
            host.nodes[taken].free_gpus = 0;
        }
        host.write_fabric(kSlowLeafGroup);
        host.write_site_file("{}");
        ym_hook_conf_read();
        host.log.clear();
    }

    /// The site's file as it is by now, and Slurm reads its configuration.
    void reconfigure(const std::string& json) {
        host.write_site_file(json);
        ym_hook_conf_read();
    }
    /// The nodes of a new job, whose receipt is `receipt` then.
    NodeSet place() {
        ym_job* job = FakeHost::new_job(1);
        EXPECT_EQ(host.test(job, kRunNow, 2), 0);
        ym_hook_job_begin(job);
        const auto read = parse_receipt(job->admin_comment.value_or(""));
        EXPECT_TRUE(read) << read.status().message();
        receipt = read ? *read : Receipt{};
        return host.chosen();
    }

    FakeHost host;
    Receipt receipt;
};

constexpr const char* kCrossingsHurt = R"({"placement": {"tier_crossing": 10}})";
CostWeights crossings_hurt() {
    return *parse_cost_weights(kCrossingsHurt, "");
}

TEST_F(Weights, MoveTheChoice) {
    EXPECT_EQ(place(), kFastApart);
    reconfigure(kCrossingsHurt);
    EXPECT_EQ(place(), kSlowTogether);
    reconfigure("{}");
    EXPECT_EQ(place(), kFastApart);
}

TEST_F(Weights, AreNamedInTheReceiptWhereTheyAreNotTheDefaults) {
    place();
    EXPECT_EQ(receipt.weights, "");
    reconfigure(kCrossingsHurt);
    place();
    EXPECT_EQ(receipt.weights, weights_mark(crossings_hurt()));
    ASSERT_FALSE(host.log.empty());
    EXPECT_EQ(host.log.back().level, YM_LOG_INFO);
    EXPECT_THAT(host.log.back().text,
                HasSubstr(receipt.weights + ": tier_crossing 10 (default 0.125)"));
}

TEST_F(Weights, BrokenFileLeavesThoseInForce) {
    reconfigure(kCrossingsHurt);
    for (const auto& [json, place_named] :
         {std::pair{"{", "yardmaster.json: line 1"},
          std::pair{R"({"placement": {"tier_crossing": "ten"}})", "$.placement.tier_crossing"},
          std::pair{R"({"placment": {}})", "$.placment: unknown key"}}) {
        host.log.clear();
        reconfigure(json);
        EXPECT_EQ(place(), kSlowTogether) << json;
        EXPECT_EQ(receipt.weights, weights_mark(crossings_hurt()));
        EXPECT_EQ(host.errors_with(place_named), 1) << json;
        EXPECT_EQ(host.errors_with("tier_crossing 10 (default 0.125) stay in force"), 1);
        EXPECT_EQ(host.errors_with("then `scontrol reconfigure`"), 1);
    }
}

TEST_F(Weights, BrokenFileAtStartLeavesTheDefaults) {
    reconfigure(R"({"placement": {"tier_crossing": 11}})");
    EXPECT_EQ(place(), kFastApart);
    EXPECT_EQ(receipt.weights, "");
    EXPECT_EQ(host.errors_with("the defaults stay in force"), 1);
}

TEST_F(Weights, WhatIsWrongInAnothersSectionIsNoneOfSlurmctldsBusiness) {
    reconfigure(R"({"health": {"enforced": 1}, "placement": {"tier_crossing": 10}})");
    EXPECT_EQ(place(), kSlowTogether);
    EXPECT_EQ(host.errors_with(""), 0);
}

TEST_F(Weights, AreReadAtReconfigureOnly) {
    host.write_site_file(kCrossingsHurt);
    host.generation -= 1;  // Slurm has read nothing yet
    EXPECT_EQ(place(), kFastApart);
    ym_hook_conf_read();
    EXPECT_EQ(place(), kSlowTogether);
}

}  // namespace
}  // namespace yardmaster::testing
