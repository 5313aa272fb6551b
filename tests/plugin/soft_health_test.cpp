// Nodes with a SoftMark in their Extra, from slurmctld's record to the receipt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/select_hooks.h"
#include "tests/plugin/fake_host.hpp"
#include "topology/receipt.hpp"
#include "topology/soft_mark.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint16_t kRunNow = YM_MODE_RUN_NOW;
constexpr std::time_t kFar = 4'000'000'000;

std::string marked(std::time_t until = kFar) {
    return format_soft_mark({"mlx5_3 flapped", 1, until});
}

std::string receipt_of_job_on(FakeHost& host, std::uint32_t nodes, const char* hints = "tp8") {
    ym_job* job = FakeHost::new_job(8, hints);
    EXPECT_EQ(host.test(job, kRunNow, nodes), 0);
    ym_hook_job_begin(job);
    return job->admin_comment.value_or("");
}

TEST(SoftHealth, MarkedNodeIsLeftAsideAndTheReceiptSaysSo) {
    FakeHost host;
    host.nodes[2].extra = marked();
    EXPECT_THAT(receipt_of_job_on(host, 4), HasSubstr(" soft=0/1"));
    EXPECT_EQ(host.chosen(), span(4, 7));
}

TEST(SoftHealth, MarkedNodesServeWhereNoOthersDo) {
    FakeHost host;
    host.nodes[2].extra = host.nodes[5].extra = marked();
    EXPECT_THAT(receipt_of_job_on(host, 8), HasSubstr(" soft=2/0"));
}

TEST(SoftHealth, HardHintIsKeptOnAMarkedNode) {
    FakeHost host;
    host.nodes[1].extra = marked();
    host.nodes[4].free_gpus = 0;
    EXPECT_THAT(receipt_of_job_on(host, 4, "leaf"), HasSubstr(" soft=1/0"));
    EXPECT_EQ(host.chosen(), span(0, 3));
}

TEST(SoftHealth, ForeignExtraAndAMarkOfThePastCountForNothing) {
    FakeHost host;
    host.nodes[1].extra = R"({"yardmaster":"rack 3"})";
    host.nodes[2].extra = marked(2);
    EXPECT_THAT(receipt_of_job_on(host, 4), Not(HasSubstr("soft=")));
    EXPECT_EQ(host.chosen(), span(0, 3));
}

TEST(SoftHealth, RequiredNodeIsTakenMarkedOrNot) {
    FakeHost host;
    host.nodes[0].extra = marked();
    ym_job* job = FakeHost::new_job(8, "tp8");
    job->required = {0};
    EXPECT_EQ(host.test(job, kRunNow, 1), 0);
    EXPECT_THAT(host.chosen(), ElementsAre(0));
}

}  // namespace
}  // namespace yardmaster::testing
