#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/command.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "topology/hostlist.hpp"
#include "topology/receipt.hpp"

namespace yardmaster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Ranks of all eight nodes of interleaved.json, whose racks' names take turns.
CommandRun ranks(std::vector<std::string> options, const std::string& hints = "tp8&pp2") {
    options.insert(options.begin(),
                   {"ranks",
                    "--nodes",
                    "n[1-8]",
                    "--gpus-per-node",
                    "4",
                    "--hints",
                    hints,
                    "--fabric",
                    data_file("interleaved.json")});
    return run_command(options);
}

CommandRun format(const std::string& name, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--format", name});
    return ranks(options);
}

std::string lines(const std::vector<std::string>& nodes, const std::string& after, int times = 1) {
    std::string text;
    for (const std::string& node : nodes) {
        for (int i = 0; i < times; ++i) {
            text += node + after + "\n";
        }
    }
    return text;
}

const std::vector<std::string> kOrder = {"n1", "n3", "n5", "n7", "n2", "n4", "n6", "n8"};

TEST(Ranks, TableShowsOrderAndGroups) {
    const CommandRun run = ranks({});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out,
                StartsWith("n[1-8]: 8 nodes x 4 GPUs, tp8&pp2\n"
                           "Order: by domains and switches, not Slurm's, which splits 4 of 4 TP "
                           "groups. A launcher must be told: see `yardmaster ranks --help`.\n\n"
                           "NODE RANK  NODE  RANKS  NVLINK DOMAIN  LEAF GROUP  TP GROUP  STAGE\n"
                           "0          n1    0-3    rackA          leafA       0         0\n"
                           "1          n3    4-7    rackA          leafA       0         0\n"));
    EXPECT_THAT(run.out,
                HasSubstr("7          n8    28-31  rackB          leafB       3         1\n"));
}

TEST(Ranks, SrunHasALineATask) {
    EXPECT_EQ(format("srun").out, lines(kOrder, "", 4));
    EXPECT_EQ(format("srun", {"--tasks-per-node", "1"}).out, lines(kOrder, ""));
}

TEST(Ranks, MpirunHasALineARank) {
    EXPECT_EQ(format("mpirun").out, lines(kOrder, "", 4));
}

TEST(Ranks, HostfileHasALineANode) {
    EXPECT_EQ(format("hostfile").out, lines(kOrder, " slots=4"));
}

TEST(Ranks, TorchrunHasEachNodesOptions) {
    EXPECT_THAT(format("torchrun").out,
                HasSubstr("n5: --nnodes=8 --node_rank=2 --nproc_per_node=4 --master_addr=n1 "
                          "--master_port=29500\n"));
    EXPECT_EQ(format("torchrun", {"--node", "n2", "--port", "1234"}).out,
              "--nnodes=8 --node_rank=4 --nproc_per_node=4 --master_addr=n1 --master_port=1234\n");
}

TEST(Ranks, EnvHasEachNodesVariables) {
    EXPECT_EQ(format("env", {"--node", "n3"}).out,
              "export YARDMASTER_RANK_ORDER=domain\n"
              "export YARDMASTER_NNODES=8\n"
              "export YARDMASTER_NODE_RANK=1\n"
              "export YARDMASTER_MASTER_ADDR=n1\n"
              "export YARDMASTER_NPROC_PER_NODE=4\n"
              "export YARDMASTER_TP_SIZE=8\n"
              "export YARDMASTER_CP_SIZE=1\n"
              "export YARDMASTER_EP_SIZE=1\n"
              "export YARDMASTER_DP_SIZE=2\n"
              "export YARDMASTER_PP_SIZE=2\n"
              "export YARDMASTER_TP_RANK=4,5,6,7\n"
              "export YARDMASTER_TP_GROUP=0\n"
              "export YARDMASTER_CP_RANK=0\n"
              "export YARDMASTER_CP_GROUP=4,5,6,7\n"
              "export YARDMASTER_EP_RANK=0\n"
              "export YARDMASTER_EP_GROUP=4,5,6,7\n"
              "export YARDMASTER_DP_RANK=0\n"
              "export YARDMASTER_DP_GROUP=4,5,6,7\n"
              "export YARDMASTER_PP_RANK=0\n"
              "export YARDMASTER_PP_GROUP=4,5,6,7\n");
    EXPECT_THAT(format("env").out, HasSubstr("\n\n# n8\nexport YARDMASTER_RANK_ORDER=domain\n"));
}

TEST(Ranks, JsonHasEveryRankOnce) {
    const CommandRun run = ranks({"--json"});
    const auto document = JsonDocument::parse(run.out);
    ASSERT_TRUE(document) << run.out;
    EXPECT_EQ(*document->root().at("slurm_order_split_tp_groups")->integer(0, 99), 4);
    EXPECT_EQ(*document->root().at("split_tp_groups")->integer(0, 99), 0);
    const auto nodes = document->root().at("nodes")->elements();
    ASSERT_EQ(nodes->size(), 8U);
    int next = 0;
    for (const JsonNode& node : *nodes) {
        const auto tasks = node.at("tasks")->elements();
        for (const JsonNode& task : *tasks) {
            EXPECT_EQ(*task.at("YARDMASTER_RANK")->string(), std::to_string(next++));
        }
    }
    EXPECT_EQ(next, 32);
}

TEST(Ranks, SplitGroupsAreAFinding) {
    const CommandRun run = run_command({"ranks",
                                        "--nodes",
                                        "n[1,3,2,5]",
                                        "-g",
                                        "4",
                                        "--hints",
                                        "tp8",
                                        "--fabric",
                                        data_file("interleaved.json")});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("1 of 2 TP groups lie in more than one NVLink domain"));
}

TEST(Ranks, AnOrderAsGoodAsSlurmsIsSlurms) {
    const CommandRun run = run_command({"ranks",
                                        "--nodes",
                                        "yard[01-04]",
                                        "-g",
                                        "8",
                                        "--hints",
                                        "tp8",
                                        "--fabric",
                                        data_file("two_pods.json")});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, HasSubstr("Order: Slurm's own; no better one was found.\n"));
}

FakeSlurm with_job() {
    SlurmJob job;
    job.id = 4711;
    job.phase = SlurmJob::Phase::kRunning;
    job.state = "RUNNING";
    job.nodes = *expand_hostlist("n[1-4]");
    job.gpus_per_node = 4;
    Receipt receipt;
    receipt.hints = *parse_hints("tp8");
    receipt.nodes = 4;
    receipt.gpus_per_node = 4;
    job.admin_comment = format_receipt(receipt);
    FakeSlurm slurm;
    slurm.records = {job};
    return slurm;
}

CommandRun ranks_of_job(const FakeSlurm& slurm, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"ranks", "4711", "--fabric", data_file("interleaved.json")});
    return run_command(options, slurm);
}

TEST(RanksOfAJob, HintsComeFromItsReceipt) {
    const CommandRun run = ranks_of_job(with_job(), {"--format", "srun", "--tasks-per-node", "1"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "n1\nn3\nn2\nn4\n");
}

TEST(RanksOfAJob, UnevenGpusHaveNoRanks) {
    FakeSlurm slurm = with_job();
    slurm.records[0].uneven_gpus = true;
    const CommandRun run = ranks_of_job(slurm);
    EXPECT_NE(run.code, 0);
    EXPECT_THAT(run.err, HasSubstr("different numbers of GPUs on its nodes"));
}

TEST(RanksOfAJob, ItsNodesAreInSlurmctldsOrder) {
    FakeSlurm slurm = with_job();
    for (const char* name : {"n2", "n4", "n1", "n3"}) {
        slurm.cluster.emplace_back().name = name;
    }
    const CommandRun run = ranks_of_job(slurm, {"--format", "srun", "--tasks-per-node", "1"});
    EXPECT_EQ(run.out, "n2\nn4\nn1\nn3\n");
}

TEST(RanksOfAJob, WithoutAReceiptHintsMustBeGiven) {
    FakeSlurm slurm = with_job();
    slurm.records[0].admin_comment = "project 7";
    EXPECT_THAT(ranks_of_job(slurm).err, HasSubstr("--hints gives them"));
    const CommandRun run = ranks_of_job(slurm, {"--hints", "tp16"});
    EXPECT_EQ(run.err.find("--hints"), std::string::npos);
    EXPECT_EQ(run.code, 1) << "four GPUs a rack are left: tp16 is split";
}

TEST(RanksOfAJob, WhatCannotBeFoundOutIsSaid) {
    FakeSlurm slurm = with_job();
    slurm.records[0].nodes.clear();
    slurm.records[0].state = "PENDING";
    CommandRun run = ranks_of_job(slurm);
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("job 4711 is PENDING and has no nodes"));
    slurm = with_job();
    slurm.records[0].nodes = {"n1", "zoo1"};
    run = ranks_of_job(slurm);
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("no node zoo1"));
    slurm.reachable = false;
    EXPECT_EQ(ranks_of_job(slurm).code, 3);
}

TEST(Ranks, BadCommandLines) {
    const std::string fabric = data_file("interleaved.json");
    EXPECT_EQ(run_command({"ranks"}).code, 2);
    EXPECT_EQ(run_command({"ranks", "1", "--nodes", "n1", "-g", "4"}).code, 2);
    EXPECT_EQ(run_command({"ranks", "--nodes", "n1"}).code, 2);
    EXPECT_EQ(ranks({"--format", "yaml"}).code, 2);
    EXPECT_EQ(ranks({}, "tp=8").code, 2);
    EXPECT_EQ(ranks({}, "tp7").code, 2);
    EXPECT_THAT(ranks({"--node", "n9"}).err, HasSubstr("n9 is none of n[1-8]'s nodes"));
    EXPECT_THAT(run_command({"ranks", "--nodes", "n1,n2,n1", "-g", "4", "--fabric", fabric}).err,
                HasSubstr("n1 stands there twice"));
}

TEST(Ranks, OutputIsReplacedAsAWhole) {
    const yardmaster::testing::ScratchFolder folder;
    const std::string file = folder / "hosts";
    yardmaster::testing::write_file(file, "old\n");
    const CommandRun run = format("hostfile", {"--output", file});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "");
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_EQ(text.str(), lines(kOrder, " slots=4"));
    const auto left = std::filesystem::directory_iterator(folder.path());
    EXPECT_EQ(std::distance(begin(left), end(left)), 1) << "no temporary file stays";
    const CommandRun failed = format("hostfile", {"--output", folder / "none/hosts"});
    EXPECT_EQ(failed.code, 3);
    EXPECT_THAT(failed.err, HasSubstr("none/hosts: cannot be written"));
}

}  // namespace
}  // namespace yardmaster::cli
