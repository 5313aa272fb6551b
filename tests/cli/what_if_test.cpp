#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command.hpp"

namespace yardmaster::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

CommandRun what_if(std::vector<std::string> options, const FakeSlurm& slurm = {}) {
    options.insert(options.begin(), {"plan", data_file("two_pods.json"), "-g", "8", "--what-if"});
    return run_command(options, slurm);
}

/// yard01 ... yard16, all idle.
FakeSlurm idle_cluster() {
    FakeSlurm slurm;
    for (int i = 1; i <= 16; ++i) {
        SlurmNode node;
        node.name = (i < 10 ? "yard0" : "yard") + std::to_string(i);
        node.state = "IDLE";
        node.gpus = 8;
        slurm.cluster.push_back(node);
    }
    return slurm;
}

/// A job of whole nodes, by their numbers.
void run_job(FakeSlurm& slurm, std::uint32_t id, const std::vector<int>& nodes) {
    SlurmJob job;
    job.id = id;
    job.name = "train";
    job.phase = SlurmJob::Phase::kRunning;
    job.state = "RUNNING";
    for (int number : nodes) {
        SlurmNode& node = slurm.cluster[static_cast<std::size_t>(number) - 1];
        node.busy = true;
        node.gpus_used = 8;
        node.state = "ALLOCATED";
        job.nodes.push_back(node.name);
    }
    slurm.records.push_back(job);
}

TEST(WhatIf, NowIsAsGoodOnAnEmptyFabric) {
    const CommandRun run = what_if({"-N", "4", "--hints", "tp8"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Now is as good as this fabric allows.\n"));
    EXPECT_THAT(run.out, HasSubstr("\nNow, and best: yard[01-04]\n")) << "one set, drawn once";
    EXPECT_THAT(run.out, ContainsRegex("\n +now\n"));
    EXPECT_THAT(run.out, Not(HasSubstr("In the way")));
}

TEST(WhatIf, TakenNodesAreNamed) {
    // One node of every leaf group is taken: four whole ones in one leaf group are not to be had.
    const CommandRun run = what_if({"-N", "4", "--hints", "tp8", "--busy", "yard[01,05,09,13]"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, ContainsRegex("\n +now +best when empty\n"));
    EXPECT_THAT(run.out, ContainsRegex("A step's communication takes [0-9.]+ s now and"));
    EXPECT_THAT(run.out, HasSubstr("Now is behind by communication that placement moves, s: "));
    EXPECT_THAT(run.out, HasSubstr("In the way of the best:\n  yard01: taken\n"));
}

TEST(WhatIf, LiveClusterNamesJobsAndDrains) {
    FakeSlurm slurm = idle_cluster();
    run_job(slurm, 7, {1, 5});
    run_job(slurm, 8, {9, 10});
    slurm.cluster[13].usable = false;
    slurm.cluster[13].state = "IDLE+DRAIN";
    slurm.cluster[13].reason = "fan broken";
    const CommandRun run = what_if({"-N", "8", "--hints", "tp8", "--live"}, slurm);
    EXPECT_EQ(run.code, 0) << run.err;
    // The first pod lacks two nodes, the second three: its better half has fewer in the way.
    EXPECT_THAT(run.out, HasSubstr("\nBest when empty: yard[01-08]\n"));
    EXPECT_THAT(run.out,
                HasSubstr("In the way of the best:\n  yard[01,05]: job 7 \"train\" of root\n"));
}

TEST(WhatIf, DrainedNodeInTheWaySaysWhy) {
    FakeSlurm slurm = idle_cluster();
    run_job(slurm, 7, {1, 2, 3, 4, 5, 6, 7});
    slurm.cluster[13].usable = false;
    slurm.cluster[13].state = "IDLE+DRAIN";
    slurm.cluster[13].reason = "fan broken";
    const CommandRun run = what_if({"-N", "8", "--live"}, slurm);
    EXPECT_THAT(run.out, HasSubstr("\nBest when empty: yard[09-16]\n"));
    EXPECT_THAT(run.out, HasSubstr("  yard14: IDLE+DRAIN: fan broken\n"));
}

TEST(WhatIf, JobThatCannotStartSaysWhyAndWhoIsInTheWay) {
    FakeSlurm slurm = idle_cluster();
    run_job(slurm, 7, {1, 5, 9, 13});
    const CommandRun run = what_if({"-N", "4", "--hints", "leaf", "--live", "--json"}, slurm);
    EXPECT_EQ(run.code, 1);
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    EXPECT_FALSE(*document->root().at("placed")->boolean());
    EXPECT_NE(*document->root().at("reason")->string(), "");
    const auto obstacles = document->root().at("in_the_way")->elements();
    ASSERT_EQ(obstacles->size(), 1U);
    EXPECT_EQ(*obstacles->front().at("what")->string(), "job 7 \"train\" of root");
    EXPECT_EQ(obstacles->front().at("nodes")->elements()->size(), 1U);
}

TEST(WhatIf, LivePlanTakesNodesFromSlurm) {
    FakeSlurm slurm = idle_cluster();
    run_job(slurm, 7, {1, 2, 3, 4});
    const CommandRun run =
        run_command({"plan", data_file("two_pods.json"), "-N", "4", "-g", "8", "--live"}, slurm);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Placed on yard[05-08]\n"));
    EXPECT_THAT(run.out, HasSubstr("leaf1  oooo\n"));
}

TEST(WhatIf, BothSetsAreDrawn) {
    const CommandRun run = what_if({"-N", "4", "--hints", "tp8", "--busy", "yard[01,05,09,13]"});
    EXPECT_THAT(run.out, ContainsRegex("\nNow: yard[^\n]*\ncore "));
    EXPECT_THAT(run.out, HasSubstr("\nBest when empty: yard[01-04]\ncore "));
    EXPECT_THAT(run.out, HasSubstr("leaf1  ####  4 of 4 nodes\n"));
}

TEST(WhatIf, SeparateFabricsHaveNoTimes) {
    const CommandRun run = run_command({"plan",
                                        data_file("separate.json"),
                                        "-g",
                                        "8",
                                        "-N",
                                        "4",
                                        "--busy",
                                        "a[1-2],b1",
                                        "--what-if"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("No link joins all nodes of now"));
    EXPECT_THAT(run.out, Not(HasSubstr("times as long")));
    EXPECT_THAT(run.out, Not(ContainsRegex("[0-9]{4,}\\.[0-9]")));
    EXPECT_THAT(run.out, HasSubstr("Now is behind by further separate fabrics: 0 against 1.\n"));
}

TEST(WhatIf, SilentControllerIsNoAnswer) {
    FakeSlurm slurm;
    slurm.reachable = false;
    EXPECT_EQ(what_if({"-N", "4", "--live"}, slurm).code, 3);
}

}  // namespace
}  // namespace yardmaster::cli
