#include "prolog/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace yardmaster {
namespace {

using ::testing::ElementsAre;
using Variables = std::map<std::string, std::string>;

Result<JobEnvironment> read(const Variables& variables) {
    return read_environment([&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

Variables usual() {
    return {{"SLURM_JOB_ID", "123"},
            {"SLURMD_NODENAME", "yard07"},
            {"SLURM_JOB_GPUS", "0,1,2,3"},
            {"SLURM_CONF", "/etc/slurm/slurm.conf"}};
}

TEST(JobEnvironment, UsualVariablesAreRead) {
    const auto job = read(usual());
    ASSERT_TRUE(job) << job.status().message();
    EXPECT_EQ(job->job, 123u);
    EXPECT_EQ(job->node, "yard07");
    EXPECT_THAT(job->gpus, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(job->restart_count, 0u);
    EXPECT_FALSE(job->mig);
}

TEST(JobEnvironment, MigSlicesAreSeen) {
    Variables variables = usual();
    variables["CUDA_VISIBLE_DEVICES"] = "MIG-5c89f1a2-0000-4000-8000-000000000000";
    EXPECT_TRUE(read(variables)->mig);
}

TEST(JobEnvironment, HostileValuesAreRefusedByName) {
    const std::pair<const char*, const char*> cases[] = {{"SLURM_JOB_ID", "12;reboot"},
                                                         {"SLURM_JOB_ID", ""},
                                                         {"SLURM_JOB_ID", "0"},
                                                         {"SLURM_JOB_ID", "99999999999"},
                                                         {"SLURMD_NODENAME", "../../etc"},
                                                         {"SLURMD_NODENAME", "a b"},
                                                         {"SLURMD_NODENAME", ".."},
                                                         {"SLURM_JOB_GPUS", "0,$(id)"},
                                                         {"SLURM_JOB_GPUS", "0-4000000000"},
                                                         {"SLURM_JOB_GPUS", "3-1"},
                                                         {"SLURM_JOB_GPUS", "-1"},
                                                         {"SLURM_JOB_RESTART_COUNT", "many"},
                                                         {"SLURM_CONF", "slurm.conf"}};
    for (const auto& [name, value] : cases) {
        Variables variables = usual();
        variables[name] = value;
        const auto job = read(variables);
        EXPECT_EQ(job.status().code(), ErrorCode::kInvalidArgument) << name << "=" << value;
        EXPECT_NE(job.status().message().find(name), std::string::npos) << value;
    }
}

TEST(GpuList, RangesAndRepeatsBecomeOneSortedList) {
    EXPECT_THAT(*parse_gpu_list("6,4-5,0,4"), ElementsAre(0, 4, 5, 6));
    EXPECT_THAT(*parse_gpu_list(""), ElementsAre());
}

TEST(NodeEnvironment, NodeIsEnoughAndAnEpilogsJobIsTaken) {
    Variables variables{{"SLURMD_NODENAME", "n3"}};
    const Environment environment = [&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
    auto host = read_node_environment(environment);
    ASSERT_TRUE(host) << host.status().message();
    EXPECT_EQ(host->job, 0u);
    EXPECT_EQ(host->slurm_conf, kDefaultSlurmConf);
    variables["SLURM_JOB_ID"] = "77";
    EXPECT_EQ(read_node_environment(environment)->job, 77u);
    variables["SLURM_JOB_ID"] = "77;x";
    EXPECT_FALSE(read_node_environment(environment));
    variables = {{"SLURMD_NODENAME", "../n3"}};
    EXPECT_FALSE(read_node_environment(environment));
}

TEST(ConfigFolder, IsSlurmConfsUnlessThatIsAConfiglessCopy) {
    EXPECT_EQ(config_folder("/etc/slurm/slurm.conf"), "/etc/slurm");
    EXPECT_EQ(config_folder("/opt/slurm/etc/slurm.conf"), "/opt/slurm/etc");
    EXPECT_EQ(config_folder("/slurm.conf"), "/");
    EXPECT_EQ(config_folder("/var/spool/slurmd/conf-cache/slurm.conf"), "/etc/slurm");
    EXPECT_EQ(config_folder("/run/slurm/conf/slurm.conf"), "/etc/slurm");
    EXPECT_EQ(config_folder("/proc/4711/fd/3"), "/etc/slurm");
}

TEST(JobEnvironment, EveryVariableThatIsLookedUpIsDocumentedAndNoOther) {
    Variables variables = usual();
    std::set<std::string> asked;
    const Environment environment = [&](const char* name) -> const char* {
        asked.insert(name);
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
    EXPECT_TRUE(has_gpus(environment));
    ASSERT_TRUE(read_environment(environment));
    std::set<std::string> told;
    for (const VariableText& variable : kPrologVariables) {
        told.insert(std::string(variable.name));
    }
    EXPECT_EQ(asked, told);
}

}  // namespace
}  // namespace yardmaster
