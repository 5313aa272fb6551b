// Reading what Slurm writes: Gres strings, state numbers, job ids.
#include <gtest/gtest.h>
#include <slurm/slurm.h>

#include <cstdlib>

#include "cli/job_id.hpp"
#include "cli/slurm_states.hpp"

namespace yardmaster::cli {
namespace {

TEST(CountGpus, ReadsEveryFormThatSlurmWrites) {
    EXPECT_EQ(count_gpus(""), 0U);
    EXPECT_EQ(count_gpus("gpu"), 1U);
    EXPECT_EQ(count_gpus("gpu:8"), 8U);
    EXPECT_EQ(count_gpus("gpu:h100:8(S:0-1)"), 8U);
    EXPECT_EQ(count_gpus("gpu:h100"), 1U);
    EXPECT_EQ(count_gpus("gpu:h100:4(IDX:0-1,4,7),gpu:a100:2(IDX:2,3)"), 6U);
    EXPECT_EQ(count_gpus("gres:gpu:8"), 8U);
    EXPECT_EQ(count_gpus("gres/gpu:h100:8"), 8U);
    EXPECT_EQ(count_gpus("shard:16,gpu:2"), 2U);
    EXPECT_EQ(count_gpus("gpu_mem:80"), 0U);
}

TEST(NodeState, DrainedAndDownAreNotUsable) {
    EXPECT_TRUE(node_is_usable(NODE_STATE_IDLE));
    EXPECT_TRUE(node_is_usable(NODE_STATE_MIXED | NODE_STATE_CLOUD));
    EXPECT_FALSE(node_is_usable(NODE_STATE_DOWN));
    EXPECT_FALSE(node_is_usable(NODE_STATE_ALLOCATED | NODE_STATE_DRAIN));
    EXPECT_FALSE(node_is_usable(NODE_STATE_FUTURE));
    EXPECT_EQ(node_state_text(NODE_STATE_IDLE | NODE_STATE_DRAIN), "IDLE+DRAIN");
}

TEST(JobState, PhaseFollowsTheBaseState) {
    EXPECT_EQ(job_phase(JOB_PENDING), SlurmJob::Phase::kPending);
    EXPECT_EQ(job_phase(JOB_SUSPENDED), SlurmJob::Phase::kRunning);
    EXPECT_EQ(job_phase(JOB_COMPLETE | JOB_COMPLETING), SlurmJob::Phase::kEnded);
    EXPECT_EQ(job_state_text(JOB_OOM), "OUT_OF_MEMORY");
    EXPECT_EQ(job_state_text(JOB_FAILED | JOB_COMPLETING), "FAILED+COMPLETING");
    EXPECT_EQ(job_reason_text(WAIT_RESOURCES), "Resources");
}

SlurmJob record(std::uint32_t id, std::optional<std::uint32_t> task = std::nullopt) {
    SlurmJob job;
    job.id = id;
    job.array_job = task ? 10 : 0;
    job.array_task = task;
    return job;
}

TEST(JobId, PlainArrayAndHetFormsAreRead) {
    EXPECT_EQ(parse_job_id("123")->job, 123U);
    EXPECT_EQ(parse_job_id("123_4")->array_task, 4U);
    EXPECT_EQ(parse_job_id("123+1")->het_offset, 1U);
}

TEST(JobId, AnythingElseIsRefused) {
    for (const char* text : {"", "0", "x", "12x", "12_", "_3", "-1", "12.batch", "99999999999"}) {
        EXPECT_EQ(parse_job_id(text).status().code(), ErrorCode::kInvalidArgument) << text;
    }
}

TEST(JobId, PicksTheRecordThatWasMeant) {
    const std::vector<SlurmJob> array{record(12, 2), record(11, 1), record(10, 3)};
    EXPECT_EQ(pick_job(array, *parse_job_id("10_1"))->id, 11U);
    EXPECT_EQ(pick_job(array, *parse_job_id("10"))->id, 10U);
    EXPECT_EQ(pick_job(array, *parse_job_id("10_9")).status().code(), ErrorCode::kNotFound);
    EXPECT_EQ(pick_job({record(11, 1)}, *parse_job_id("10"))->id, 11U);
    EXPECT_EQ(pick_job({}, *parse_job_id("10")).status().code(), ErrorCode::kNotFound);
}

TEST(JobId, TextIsWhatSqueueShows) {
    EXPECT_EQ(job_id_text(record(7)), "7");
    EXPECT_EQ(job_id_text(record(11, 1)), "10_1");
    SlurmJob het = record(21);
    het.het_offset = 1;
    EXPECT_EQ(job_id_text(het), "20+1");
}

/// Sets SLURM_CONF for one test.
class SlurmConf {
  public:
    explicit SlurmConf(const char* file) { setenv("SLURM_CONF", file, 1); }
    ~SlurmConf() { unsetenv("SLURM_CONF"); }
};

TEST(SlurmConfig, FabricFileStandsBesideSlurmConf) {
    unsetenv("SLURM_CONF");
    EXPECT_EQ(default_fabric_file(), "/etc/slurm/fabric.json");
    const SlurmConf conf("/opt/cluster/slurm.conf");
    EXPECT_EQ(default_fabric_file(), "/opt/cluster/fabric.json");
}

TEST(SlurmConfig, MissingSlurmConfIsSaidAtOnce) {
    const SlurmConf conf("/nonexistent/slurm.conf");
    const Status status = connect_to_slurm().status();
    EXPECT_EQ(status.code(), ErrorCode::kNotFound);
    EXPECT_NE(status.message().find("/nonexistent/slurm.conf"), std::string::npos);
}

}  // namespace
}  // namespace yardmaster::cli
