#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/command.hpp"
#include "topology/hostlist.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A running job on `nodes` with the GPUs of that file's node type.
SlurmJob running_job(const std::string& nodes, std::uint32_t gpus_per_node) {
    SlurmJob job;
    job.id = 4711;
    job.name = "train";
    job.partition = "gpu";
    job.phase = SlurmJob::Phase::kRunning;
    job.state = "RUNNING";
    job.reason = "None";
    job.start_time = 1700000000;
    job.nodes = *expand_hostlist(nodes);
    job.num_nodes = static_cast<std::uint32_t>(job.nodes.size());
    job.gpus_per_node = gpus_per_node;
    return job;
}

/// The receipt that the plugin would write for `job` on the fabric of `file`.
Receipt receipt_for(const SlurmJob& job, const std::string& file, const std::string& hints) {
    const auto fabric = Fabric::load(data_file(file));
    std::vector<NodeIndex> nodes;
    for (const std::string& name : job.nodes) {
        nodes.push_back(*fabric->find(name));
    }
    Receipt receipt;
    receipt.hints = *parse_hints(hints);
    receipt.nodes = job.num_nodes;
    receipt.gpus_per_node = job.gpus_per_node;
    receipt.facts = describe(*fabric, nodes, job.gpus_per_node, receipt.hints);
    return receipt;
}

CommandRun explain(const SlurmJob& job,
                   const std::string& file,
                   const std::vector<SlurmNode>& cluster = {},
                   std::vector<std::string> options = {}) {
    FakeSlurm slurm;
    slurm.records = {job};
    slurm.cluster = cluster;
    options.insert(options.begin(), {"explain", "4711", "--fabric", data_file(file)});
    return run_command(options, slurm);
}

TEST(Explain, GoodPlacementGivesNothingUp) {
    SlurmJob job = running_job("yard[05-08]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "two_pods.json", "tp8&pp2"));
    const CommandRun run = explain(job, "two_pods.json");
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out, StartsWith("Job 4711 \"train\" of root in partition gpu: RUNNING since "));
    EXPECT_THAT(run.out, HasSubstr("Nodes: yard[05-08] (4 nodes x 8 GPUs)\n"));
    EXPECT_THAT(run.out, HasSubstr("Chosen by: Yardmaster, its first choice\nHints: tp8&pp2\n"));
    EXPECT_THAT(run.out, HasSubstr("leaf2  ####  4 of 4 nodes\n"));
    EXPECT_THAT(run.out, HasSubstr("As good as this fabric allows.\n"));
    EXPECT_THAT(run.out, Not(HasSubstr("Given up:")));
    EXPECT_THAT(run.out, Not(HasSubstr("What would improve it:")));
}

TEST(Explain, SoftDegradedNodesAreTold) {
    SlurmJob job = running_job("yard[05-08]", 8);
    Receipt receipt = receipt_for(job, "two_pods.json", "tp8");
    receipt.soft_taken = 1;
    receipt.soft_left = 2;
    job.admin_comment = format_receipt(receipt);
    std::vector<SlurmNode> cluster(1);
    cluster[0].name = "yard06";
    cluster[0].soft = SoftMark{"mlx5_3 flapped", 1796094669, 1796181069};
    const CommandRun run = explain(job, "two_pods.json", cluster);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("Left aside: 2 free nodes that were soft-degraded"));
    EXPECT_THAT(run.out, HasSubstr("  - yard06 is soft-degraded since 2026-"));
    EXPECT_THAT(run.out, HasSubstr("  - 1 soft-degraded node among its nodes"));
}

TEST(Explain, StockPlacementIsComparedWithTheBest) {
    SlurmJob job = running_job("yard[01,05,09,13]", 8);
    Receipt receipt = receipt_for(job, "two_pods.json", "tp8");
    receipt.chooser = Receipt::Chooser::kStock;
    receipt.note = "fabric file unreadable";
    job.admin_comment = format_receipt(receipt);
    const CommandRun run = explain(job, "two_pods.json");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("Chosen by: Slurm alone\n"));
    EXPECT_THAT(run.out, HasSubstr("Behind the best possible by "));
    EXPECT_THAT(run.out, HasSubstr("Given up:\n  - Slurm chose the nodes without regard"));
    EXPECT_THAT(run.out, HasSubstr("  - fabric file unreadable\n"));
    EXPECT_THAT(run.out, HasSubstr("1 leaf group instead of 4, with "));
    EXPECT_THAT(run.out, HasSubstr(": the leaf hint makes it wait for that\n"));
    EXPECT_THAT(run.out,
                HasSubstr("`yardmaster plan FABRIC -N 4 -g 8 --hints 'tp8' --live --what-if` "));
}

TEST(Explain, SplitTpGroupsAreNamed) {
    SlurmJob job = running_job("n[1-4]", 4);
    job.admin_comment = format_receipt(receipt_for(job, "interleaved.json", "tp8"));
    const CommandRun run = explain(job, "interleaved.json");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out,
                HasSubstr("Split TP groups:\n  group 0: n[1-2] in domains rackA, rackB\n"
                          "  group 1: n[3-4] in domains rackA, rackB\n"));
    EXPECT_THAT(run.out, HasSubstr("2 of 2 TP groups lie in more than one NVLink domain"));
    EXPECT_THAT(run.out,
                ContainsRegex("have its launcher follow `yardmaster ranks 4711` .*: a step's "
                              "communication falls from [0-9.]+ to [0-9.]+ s, split TP groups "
                              "from 2 to 0"));
    const CommandRun as = explain(job, "interleaved.json", {}, {"--as", "tp8&pp2"});
    EXPECT_THAT(as.out, HasSubstr("`yardmaster ranks 4711 --hints 'tp8&pp2'`"));
}

TEST(Explain, GroupsOfEveryKindAreShown) {
    SlurmJob job = running_job("yard[01-02,05-06]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "two_pods.json", "tp8&pp2"));
    const CommandRun run = explain(job, "two_pods.json");
    for (const char* line : {"\ngroups by kind +tp +dp +pp\n",
                             "\ncount +4 +16 +16\n",
                             "\nGPUs in each +8 +2 +2\n",
                             "\nover the network +0 +16 +16\n",
                             "\nedges between nodes +0 +16 +16\n",
                             "\n  leaving their rail +0 +0 +0\n",
                             "\n  leaving a leaf group +0 +0 +16\n",
                             "\n  leaving a pod +0 +0 +0\n",
                             "\nleaf groups per group, worst / mean +1 / 1 +1 / 1 +2 / 2\n",
                             "\ncommunication, s a step +[0-9.]+ +[0-9.]+ +[0-9.]+\n"}) {
        EXPECT_THAT(run.out, ContainsRegex(line));
    }
    EXPECT_THAT(run.out, Not(HasSubstr("(!)"))) << "dp and pp groups are meant for the network";
}

TEST(Explain, ContextParallelJobsHaveGradientGroupsOfTheirOwn) {
    SlurmJob job = running_job("yard[01-04]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "two_pods.json", "tp4&cp2"));
    const CommandRun run = explain(job, "two_pods.json");
    EXPECT_THAT(run.out, ContainsRegex("\ngroups by kind +tp +cp +dp +dp x cp\n"));
    EXPECT_THAT(run.out, ContainsRegex("\ncommunication, s a step .* in dp x cp +[0-9.]+\n"));
}

TEST(Explain, SplitTpGroupsAreMarkedAsHarmful) {
    SlurmJob job = running_job("n[1-4]", 4);
    job.admin_comment = format_receipt(receipt_for(job, "interleaved.json", "tp8"));
    const CommandRun run = explain(job, "interleaved.json");
    EXPECT_THAT(run.out, ContainsRegex("\nover the network +2 \\(!\\) +"));
    EXPECT_THAT(run.out, HasSubstr("\n(!) harms: a TP group "));
}

TEST(Explain, TheScreenIsAtMostAHundredColumnsWide) {
    SlurmJob job = running_job("yard[01-16]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "two_pods.json", "tp4&cp2&ep4&pp2"));
    std::istringstream lines(explain(job, "two_pods.json").out);
    int tables = 0;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 100U) << line;
        tables += line.starts_with("groups by kind") ? 1 : 0;
    }
    EXPECT_EQ(tables, 1);
}

TEST(Explain, TimesStandBesideTheBestOfThenAndTheBestThereIs) {
    SlurmJob job = running_job("yard[01-02,05-06]", 8);
    Receipt receipt = receipt_for(job, "two_pods.json", "tp8&pp2");
    receipt.seconds = 1.2;
    receipt.best_seconds = 0.8;
    receipt.rank = 1;
    job.admin_comment = format_receipt(receipt);
    const CommandRun run = explain(job, "two_pods.json");
    EXPECT_EQ(run.code, 1) << "a better set was free";
    EXPECT_THAT(run.out, ContainsRegex("\n  this job +[0-9.]+ s\n"));
    EXPECT_THAT(run.out,
                ContainsRegex("\n  best of what was free at its start +0.8 s +this job takes 1.5 "
                              "times as long\n"));
    EXPECT_THAT(run.out, ContainsRegex("\n  best on an empty fabric +[0-9.]+ s  "));
    EXPECT_THAT(run.out,
                HasSubstr("the best set that was free, which Slurm refused: 0.8 s of communication "
                          "a step instead of 1.2\n"));
    const CommandRun as = explain(job, "two_pods.json", {}, {"--as", "tp8"});
    EXPECT_THAT(as.out, Not(HasSubstr("was free"))) << "the receipt's hints were others";
}

TEST(Explain, AGoodSetInABadOrderSaysSo) {
    SlurmJob job = running_job("yard[01-06]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "two_pods.json", "tp8&pp2"));
    std::vector<SlurmNode> cluster;
    for (const char* name : {"yard01", "yard05", "yard02", "yard06", "yard03", "yard07"}) {
        cluster.emplace_back().name = name;
    }
    job.nodes = {"yard01", "yard02", "yard03", "yard05", "yard06", "yard07"};
    const CommandRun run = explain(job, "two_pods.json", cluster);
    EXPECT_THAT(run.out,
                HasSubstr("As good a set of nodes as this fabric allows, in a worse order.\n"));
    EXPECT_THAT(run.out,
                ContainsRegex("of its nodes: a step's communication falls from [0-9.]+ to "
                              "[0-9.]+ s\n"));
}

TEST(Explain, ChosenGpusAreShown) {
    SlurmJob job = running_job("yard[01-02]", 4);
    Receipt receipt = receipt_for(job, "two_pods.json", "tp4");
    receipt.gpus = 0xF0;
    job.admin_comment = format_receipt(receipt);
    EXPECT_THAT(explain(job, "two_pods.json").out,
                HasSubstr("GPUs of every node: 4-7, chosen by index for its rails\n"));
}

TEST(Explain, SeparateFabricsHaveNoPredictedTime) {
    SlurmJob job = running_job("a[1-2],b[1-2]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "separate.json", "pp2"));
    const CommandRun run = explain(job, "separate.json");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("No link joins all of its nodes, so no time of a step"));
    EXPECT_THAT(run.out,
                HasSubstr("  - its nodes lie in 2 separate fabrics: no link joins them\n"));
    EXPECT_THAT(run.out, HasSubstr("holds it in one fabric: a hard hint"));
    EXPECT_THAT(run.out, ContainsRegex("\nall communication, s a step +no link +[0-9.]+\n"));
    EXPECT_THAT(run.out, Not(ContainsRegex("[0-9]{4,}\\.[0-9]"))) << "no number of hours";
    const CommandRun json = explain(job, "separate.json", {}, {"--json"});
    const auto document = JsonDocument::parse(json.out);
    ASSERT_TRUE(document) << json.out;
    const auto facts = document->root().at("got")->at("facts");
    EXPECT_TRUE(json_is_null(facts->at("predicted_seconds")->raw()));
}

TEST(Explain, JobWithoutHintsIsJudgedAsIfItHadSome) {
    const CommandRun run =
        explain(running_job("n[1-4]", 4), "interleaved.json", {}, {"--as", "tp8"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("Judged as if its hints were: tp8\n"));
    EXPECT_THAT(run.out, HasSubstr("2 of 2 TP groups lie in more than one NVLink domain"));
    EXPECT_THAT(run.out, HasSubstr("submit it with --constraint='tp8'"));
    EXPECT_THAT(run.out, Not(HasSubstr("--constraint=tp4")));
}

TEST(Explain, HintsToJudgeByReplaceTheJobsOwn) {
    SlurmJob job = running_job("n[1,3]", 4);
    job.admin_comment = format_receipt(receipt_for(job, "interleaved.json", "tp8"));
    const CommandRun run = explain(job, "interleaved.json", {}, {"--as", "tp4", "--json"});
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    EXPECT_EQ(*document->root().at("judged_as")->string(), "tp4");
    EXPECT_EQ(*document->root().at("receipt")->at("hints")->string(), "tp8");
    EXPECT_EQ(*document->root().at("got")->at("facts")->at("tp_groups")->integer(0, 9), 2);
    EXPECT_THAT(run.out, Not(HasSubstr("receipt's facts differ")));
}

TEST(Explain, HintsThatDoNotFitTheJobAreAUsageError) {
    const SlurmJob job = running_job("n[1-3]", 4);
    EXPECT_EQ(explain(job, "interleaved.json", {}, {"--as", "tp=8"}).code, 2);
    const CommandRun run = explain(job, "interleaved.json", {}, {"--as", "tp8"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("--as: tp8"));
}

TEST(Explain, RefusedSetsAreCounted) {
    SlurmJob job = running_job("yard[01-04]", 8);
    Receipt receipt = receipt_for(job, "two_pods.json", "tp8");
    receipt.rank = 2;
    job.admin_comment = format_receipt(receipt);
    EXPECT_THAT(explain(job, "two_pods.json").out,
                HasSubstr("Chosen by: Yardmaster, after Slurm had refused 2 better sets\n"));
}

TEST(Explain, NodesAreRankedAsInSlurmctldsTable) {
    SlurmJob job = running_job("n[1-4]", 4);
    std::vector<SlurmNode> cluster;
    for (const char* name : {"n1", "n3", "n5", "n7", "n2", "n4", "n6", "n8"}) {
        cluster.emplace_back().name = name;
    }
    const CommandRun run = explain(job, "interleaved.json", cluster, {"--json"});
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const auto nodes = document->root().at("got")->at("nodes")->elements();
    ASSERT_EQ(nodes->size(), 4U);
    EXPECT_EQ(*(*nodes)[1].string(), "n3");
    EXPECT_EQ(*(*nodes)[2].string(), "n2");
}

TEST(Explain, OtherNodesAreDrawnAsSlurmSeesThem) {
    SlurmJob job = running_job("yard[01-02]", 8);
    std::vector<SlurmNode> cluster;
    for (const char* name : {"yard01", "yard02", "yard03", "yard04", "yard05"}) {
        cluster.emplace_back().name = name;
    }
    cluster[2].busy = true;
    cluster[3].part_used = true;
    const CommandRun run = explain(job, "two_pods.json", cluster);
    EXPECT_THAT(run.out, HasSubstr("leaf1  ##o+  2 of 4 nodes\n"));
    EXPECT_THAT(run.out, HasSubstr("leaf2  .xxx\n"));
}

TEST(Explain, JobWithoutReceiptIsStillDescribed) {
    const CommandRun run = explain(running_job("yard[01-02]", 8), "two_pods.json");
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, HasSubstr("Chosen by: not known; its AdminComment is empty"));
    EXPECT_THAT(run.out, HasSubstr("core / pod1 / leaf1"));
    EXPECT_THAT(run.out, HasSubstr("--constraint=tp8"));
}

TEST(Explain, ForeignAndDamagedCommentsAreShown) {
    SlurmJob job = running_job("yard[01-02]", 8);
    job.admin_comment = "billing: project 7";
    EXPECT_THAT(explain(job, "two_pods.json").out,
                HasSubstr("its AdminComment is somebody's own: billing: project 7"));
    job.admin_comment = "yardmaster: by=nobody";
    EXPECT_THAT(explain(job, "two_pods.json").out, HasSubstr("Chosen by: not known; receipt: "));
}

TEST(Explain, ReceiptThatDisagreesWithTheFabricIsNoted) {
    SlurmJob job = running_job("yard[01,05]", 8);
    Receipt receipt = receipt_for(job, "two_pods.json", "tp8");
    receipt.facts.units_touched.front() = 1;
    job.admin_comment = format_receipt(receipt);
    const CommandRun run = explain(job, "two_pods.json");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("the receipt's facts differ from the fabric file's"));
}

TEST(Explain, NodesThatTheFileLacksAreNamed) {
    const CommandRun run = explain(running_job("yard01,zoo[1-2]", 8), "two_pods.json");
    EXPECT_THAT(run.out, HasSubstr("Not in the fabric file: zoo[1-2]\n"));
}

TEST(Explain, PendingJobSaysWhatItWaitsFor) {
    SlurmJob job = running_job("", 8);
    job.phase = SlurmJob::Phase::kPending;
    job.state = "PENDING";
    job.reason = "Resources";
    job.num_nodes = 16;
    job.start_time = 0;
    const CommandRun run = explain(job, "two_pods.json");
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, HasSubstr("It has not been placed: it wants 16 nodes x 8 GPUs.\n"));
    EXPECT_THAT(run.out, HasSubstr("Waits for: Resources\nExpected start: not known yet\n"));
}

TEST(Explain, WithoutAFabricFileTheRecordIsShownAndTheCodeIsUnknown) {
    SlurmJob job = running_job("yard[01-04]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "two_pods.json", "tp8"));
    const CommandRun run = explain(job, "absent.json");
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.out, HasSubstr("Hints: tp8\n"));
    EXPECT_THAT(run.err, HasSubstr("absent.json"));
}

TEST(Explain, JsonHoldsReceiptFactsAndBest) {
    SlurmJob job = running_job("yard[01,05]", 8);
    job.admin_comment = format_receipt(receipt_for(job, "two_pods.json", "tp8"));
    const CommandRun run = explain(job, "two_pods.json", {}, {"--json"});
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    const JsonNode root = document->root();
    EXPECT_EQ(*root.at("job")->at("id")->string(), "4711");
    EXPECT_EQ(*root.at("receipt")->at("chosen_by")->string(), "yardmaster");
    EXPECT_TRUE(json_is_null(root.at("receipt")->at("gpus")->raw()));
    EXPECT_TRUE(json_is_null(root.at("slowdown_then")->raw()));
    const auto touched = root.at("got")->at("facts")->at("units_touched")->elements();
    EXPECT_EQ(*touched->front().integer(0, 100), 2);
    EXPECT_EQ(*root.at("best_when_empty")->at("hostlist")->string(), "yard[01-02]");
}

TEST(Explain, UnknownJobAndSilentControllerAreUnknown) {
    FakeSlurm slurm;
    EXPECT_EQ(run_command({"explain", "1"}, slurm).code, 3);
    slurm.reachable = false;
    const CommandRun run = run_command({"explain", "1"}, slurm);
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(run.err, "yardmaster: slurmctld does not answer\n");
}

}  // namespace
}  // namespace yardmaster::cli
