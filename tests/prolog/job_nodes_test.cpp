#include "prolog/job_nodes.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

JobEnvironment job_on(const std::string& list, const std::string& node = "hgx2") {
    JobEnvironment job;
    job.job = 7;
    job.node = node;
    job.node_list = list;
    job.restart_count = 3;
    return job;
}

SlurmConf conf_of(const std::string& text) {
    return *read_slurm_conf("/etc/slurm/slurm.conf",
                            [&](const std::string&) { return Result<std::string>(text); });
}

TEST(JobNodes, FirstNodesAddressComesFromItsLine) {
    const auto nodes = job_nodes(job_on("hgx[1-3]"),
                                 conf_of("AuthInfo=cred_expire=60,socket=/run/m.socket\n"
                                         "NodeName=hgx[0-3] NodeAddr=10.0.0.[1-4] Gres=gpu:8\n"));
    EXPECT_EQ(nodes.nodes, (std::vector<std::string>{"hgx1", "hgx2", "hgx3"}));
    EXPECT_EQ(nodes.hub_address, "10.0.0.2");
    EXPECT_EQ(nodes.munge_socket, "/run/m.socket");
    EXPECT_EQ(nodes.restarts, 3U);
    EXPECT_EQ(nodes.unknown, "");
}

TEST(JobNodes, HostNameAndNameStandInForTheAddress) {
    EXPECT_EQ(job_nodes(job_on("hgx[1-2]"), conf_of("NodeName=hgx[1-2] NodeHostname=c[1-2]\n"))
                  .hub_address,
              "c1");
    EXPECT_EQ(job_nodes(job_on("hgx[1-2]"), conf_of("NodeName=hgx[1-2]\n")).hub_address, "hgx1");
    EXPECT_EQ(job_nodes(job_on("hgx[1-2]"), conf_of("")).hub_address, "hgx1") << "a dynamic node";
}

TEST(JobNodes, SharedAddressIsNoList) {
    // Several slurmds on one host: one address for all names.
    const auto nodes =
        job_nodes(job_on("hgx[1-2]"), conf_of("NodeName=hgx[1-2] NodeAddr=127.0.0.1\n"));
    EXPECT_EQ(nodes.hub_address, "127.0.0.1");
}

TEST(JobNodes, WithoutMungeTheyCannotMeet) {
    const auto nodes = job_nodes(job_on("hgx[1-2]"), conf_of("AuthType=auth/slurm\n"));
    EXPECT_NE(nodes.unknown.find("auth/slurm"), std::string::npos);
}

TEST(JobNodes, NothingToMeetIsNoNodes) {
    for (const char* list : {"", "hgx2", "hgx[1-", "hgx[5-6]", "a/b,hgx2"}) {
        EXPECT_LT(job_nodes(job_on(list), conf_of("")).nodes.size(), 2U) << list;
    }
}

TEST(JobNodes, FileIsOnlyReadWhereTheyMeet) {
    JobEnvironment job = job_on("hgx[1-9]");
    job.slurm_conf = "/nonexistent/slurm.conf";
    CrossPolicy policy;
    const auto soon = Clock::now() + std::chrono::seconds(5);
    EXPECT_NE(read_job_nodes(job, policy, soon).unknown, "");
    policy.max_nodes = 8;
    EXPECT_EQ(read_job_nodes(job, policy, soon).unknown, "");
    policy.mode = CheckMode::kOn;
    EXPECT_NE(read_job_nodes(job, policy, soon).unknown, "");
    policy.mode = CheckMode::kOff;
    EXPECT_EQ(read_job_nodes(job, policy, soon).unknown, "");
}

}  // namespace
}  // namespace yardmaster
