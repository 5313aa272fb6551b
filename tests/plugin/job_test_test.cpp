// The rules for answering select_p_job_test, on a host that records how stock is asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"

namespace yardmaster::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kFabric = R"({
    "version": 1,
    "node_types": {"h100": {"gpus": 8, "nvlink_gigabytes_per_s": 450}},
    "nodes": {"n[0-7]": "h100"},
    "switches": [{"name": "core", "children": [
        {"name": "leaf0", "nodes": "n0,n2,n4,n6"}, {"name": "leaf1", "nodes": "n1,n3,n5,n7"}]}]})";

/// Eight nodes, the even ones below one leaf switch, the odd ones below another.
class JobTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = ::testing::TempDir() + "ym-job-test-" + std::to_string(getpid());
        std::filesystem::create_directories(folder_);
        write_fabric(kFabric);
        reset_host();
        host().slurm_conf = folder_ + "/slurm.conf";
        for (int i = 0; i < 8; ++i) {
            host().nodes.push_back({"n" + std::to_string(i)});
        }
        ym_hook_nodes_changed();
        job_.info.job_id = 7;
        job_.info.has_details = job_.info.pending = true;
        job_.info.cpus_per_task = 1;
        job_.info.gpus_per_node = 8;
        job_.marks = {11, 12, 13, 14, false};
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write_fabric(const std::string& text) {
        std::ofstream(folder_ + "/fabric.json") << text;
        ++host().generation;
    }

    int ask(std::uint32_t nodes, std::uint16_t mode, bool preemptees = false) {
        bitmap_.nodes = {0, 1, 2, 3, 4, 5, 6, 7};
        int some_list = 0;
        ym_job_test test{&job_,
                         &bitmap_,
                         nodes,
                         nodes,
                         nodes,
                         mode,
                         preemptees ? reinterpret_cast<ym_list*>(&some_list) : nullptr,
                         nullptr};
        return ym_hook_job_test(&test);
    }

    void hint(const std::string& words) { job_.env[YM_HINTS_ENV] = words; }

    std::string folder_;
    ym_job job_;
    ym_bitmap bitmap_;
};

TEST_F(JobTest, BestSetIsAskedFirst) {
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    ASSERT_EQ(host().calls.size(), 1U);
    EXPECT_THAT(host().calls[0].nodes, ElementsAre(0, 2, 4, 6));
}

TEST_F(JobTest, RefusedSetsLeaveNoMarkAndTheLastCallIsTheAcceptedOne) {
    host().accepts = [](const StockCall& call) { return call.nodes[0] == 1; };
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_THAT(host().calls.back().nodes, ElementsAre(1, 3, 5, 7));
    EXPECT_EQ(bitmap_.nodes, host().calls.back().nodes);
    EXPECT_EQ(job_.marks.total_cpus, 12U);
    EXPECT_EQ(job_.marks.min_cpus, 14U);
}

TEST_F(JobTest, NarrowTriesNeverPreempt) {
    host().accepts = [](const StockCall& call) { return call.nodes.size() == 8; };
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW, true), 0);
    for (std::size_t i = 0; i + 1 < host().calls.size(); ++i) {
        EXPECT_FALSE(host().calls[i].with_preemptees);
    }
    EXPECT_TRUE(host().calls.back().with_preemptees);
}

TEST_F(JobTest, SoftJobIsGivenToStockWhenEverySetIsRefused) {
    host().accepts = [](const StockCall& call) { return call.nodes.size() == 8; };
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    ym_hook_job_begin(&job_);
    EXPECT_THAT(job_.admin_comment, HasSubstr("stock cons_tres refused the best"));
}

TEST_F(JobTest, HardJobWaitsRatherThanBend) {
    hint("leaf");
    host().occupy(0, 1000);
    host().occupy(1, 1000);
    EXPECT_NE(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_THAT(host().calls, IsEmpty());  // six nodes are free, but no leaf group has four
}

TEST_F(JobTest, HardJobPreemptsOnlyAfterEverySetWithoutHasFailed) {
    hint("leaf");
    host().occupy(0, 1000, true);
    host().occupy(1, 1000);
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW, true), 0);
    ASSERT_EQ(host().calls.size(), 1U);
    EXPECT_THAT(host().calls[0].nodes, ElementsAre(0, 2, 4, 6));
    EXPECT_TRUE(host().calls[0].with_preemptees);
}

TEST_F(JobTest, TestOnlyEnforcesNoHint) {
    hint("leaf");
    host().accepts = [](const StockCall& call) { return call.nodes.size() == 8; };
    EXPECT_EQ(ask(6, YM_MODE_TEST_ONLY), 0);  // no leaf group will ever hold six
    EXPECT_EQ(host().calls.back().nodes.size(), 8U);
}

TEST_F(JobTest, WillRunTriesNowWithoutAFutureAndThenPlansFewNodes) {
    for (std::int32_t node = 0; node < 8; ++node) {
        host().occupy(node, node % 2 == 0 ? 2000 : 1000 + node);
    }
    host().accepts = [](const StockCall& call) { return !call.test_now_only; };
    host().start = [](const StockCall&) { return 1007; };
    EXPECT_EQ(ask(4, YM_MODE_WILL_RUN), 0);
    EXPECT_THAT(host().calls.back().nodes, ElementsAre(1, 3, 5, 7));  // they end first
    EXPECT_EQ(job_.marks.start_time, 1007);
    EXPECT_FALSE(job_.info.test_now_only);
}

TEST_F(JobTest, SoftPlanThatStartsLateIsLeftToStock) {
    for (std::int32_t node = 0; node < 8; ++node) {
        host().occupy(node, 1000);
    }
    host().accepts = [](const StockCall& call) { return !call.test_now_only; };
    host().start = [](const StockCall& call) { return call.nodes.size() == 8 ? 1000 : 5000; };
    EXPECT_EQ(ask(4, YM_MODE_WILL_RUN), 0);
    EXPECT_EQ(host().calls.back().nodes.size(), 8U);
    EXPECT_EQ(job_.marks.start_time, 1000);
}

TEST_F(JobTest, RequiredNodesAreInEverySet) {
    job_.required = {3};
    host().accepts = [](const StockCall&) { return false; };
    EXPECT_NE(ask(2, YM_MODE_RUN_NOW), 0);
    ASSERT_FALSE(host().calls.empty());
    for (const StockCall& call : host().calls) {
        EXPECT_THAT(call.nodes, ::testing::Contains(3));
    }
}

TEST_F(JobTest, CheapNodesAreUsedFirst) {
    for (int i : {0, 2, 4, 6}) {
        host().nodes[static_cast<std::size_t>(i)].weight = 100;
    }
    EXPECT_EQ(ask(3, YM_MODE_RUN_NOW), 0);
    EXPECT_THAT(bitmap_.nodes, ElementsAre(1, 3, 5));
}

TEST_F(JobTest, ExceptionGivesSoftJobsToStockUnharmed) {
    host().on_node_gpus = [] { throw std::runtime_error("injected"); };
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    ASSERT_EQ(host().calls.size(), 1U);
    EXPECT_EQ(host().calls[0].nodes.size(), 8U);
    EXPECT_TRUE(host().logged("injected"));
    ym_hook_job_begin(&job_);
    EXPECT_THAT(job_.admin_comment, HasSubstr("internal error"));
}

TEST_F(JobTest, ExceptionMakesHardJobsWait) {
    hint("tp8");
    host().on_node_gpus = [] { throw std::runtime_error("injected"); };
    EXPECT_NE(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_THAT(host().calls, IsEmpty());
}

TEST_F(JobTest, WithoutAFabricSoftJobsStartAndHardOnesWaitWithOneLine) {
    write_fabric("{");
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    ym_hook_job_begin(&job_);
    EXPECT_THAT(job_.admin_comment, HasSubstr("no usable fabric file"));
    job_.admin_comment.clear();
    hint("tp8");
    EXPECT_NE(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_NE(ask(4, YM_MODE_WILL_RUN), 0);
    EXPECT_EQ(ask(4, YM_MODE_TEST_ONLY), 0);
    EXPECT_EQ(std::count_if(host().log.begin(),
                            host().log.end(),
                            [](const std::string& line) {
                                return line.find("job 7 with hard hints waits") !=
                                       std::string::npos;
                            }),
              1);
}

TEST_F(JobTest, ReceiptComesAtTheStartAndGoesAtARequeue) {
    hint("tp8");
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_EQ(job_.admin_comment, "");
    ym_hook_job_begin(&job_);
    EXPECT_THAT(job_.admin_comment, StartsWith("yardmaster:"));
    ym_hook_job_fini(&job_);
    EXPECT_THAT(job_.admin_comment, StartsWith("yardmaster:"));  // a job that has ended keeps it
    job_.requeued = true;
    ym_hook_job_fini(&job_);
    EXPECT_EQ(job_.admin_comment, "");
}

TEST_F(JobTest, CommentOfSomebodyElseIsKept) {
    job_.admin_comment = "mine";
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    ym_hook_job_begin(&job_);
    EXPECT_EQ(job_.admin_comment, "mine");
    EXPECT_TRUE(host().logged("job 7: yardmaster:"));
}

TEST_F(JobTest, RenumberedNodesAreNotMixedUp) {
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    std::swap(host().nodes[0].name, host().nodes[1].name);  // the hook was not called
    host().calls.clear();
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_NE(host().calls.back().nodes, (std::vector<std::int32_t>{0, 2, 4, 6}));
    ym_hook_nodes_changed();
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_THAT(bitmap_.nodes, ElementsAre(1, 2, 4, 6));
}

TEST_F(JobTest, AnnouncedHintsCountOnceTheirFeaturesDo) {
    hint("leaf");
    job_.features = "h100";
    job_.env[YM_NEXT_HINTS_ENV] = "pp2|h100";
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_EQ(job_.env[YM_HINTS_ENV], "pp2");
    job_.env[YM_NEXT_HINTS_ENV] = "tp8|a100";  // Slurm refused these features
    EXPECT_EQ(ask(4, YM_MODE_RUN_NOW), 0);
    EXPECT_EQ(job_.env[YM_HINTS_ENV], "pp2");
    EXPECT_EQ(job_.env.count(YM_NEXT_HINTS_ENV), 0U);
}

}  // namespace
}  // namespace yardmaster::test
