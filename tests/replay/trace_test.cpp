#include "replay/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/receipt.hpp"

namespace yardmaster {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Trace parsed(std::string_view text) {
    auto trace = parse_trace(text, "t.csv");
    EXPECT_TRUE(trace) << trace.status().message();
    return trace ? *trace : Trace{};
}

std::string error_of(std::string_view text) {
    const auto trace = parse_trace(text, "t.csv");
    EXPECT_FALSE(trace);
    EXPECT_EQ(trace.status().code(), ErrorCode::kMalformed);
    return trace.status().message();
}

TEST(Trace, PlainColumnsInAnyOrder) {
    const Trace trace = parsed("runtime,hints,gpus,nodes,submit\n60,tp8&pp2,8,4,100\n5,,0,1,90\n");
    ASSERT_EQ(trace.jobs.size(), 2U);
    // By submission, and time begins with the first.
    EXPECT_EQ(trace.jobs[0].id, "line 3");
    EXPECT_EQ(trace.jobs[0].submit, 0);
    EXPECT_EQ(trace.jobs[0].gpus_per_node, 0U);
    EXPECT_TRUE(trace.jobs[0].hints.empty());
    EXPECT_EQ(trace.jobs[1].submit, 10);
    EXPECT_EQ(trace.jobs[1].nodes, 4U);
    EXPECT_EQ(trace.jobs[1].gpus_per_node, 8U);
    EXPECT_EQ(trace.jobs[1].hints.to_string(), "tp8&pp2");
    EXPECT_EQ(trace.jobs[1].runtime, 60);
}

TEST(Trace, ColumnsOfSacct) {
    const Trace trace = parsed(
        "JobID|Submit|NNodes|AllocTRES|Elapsed|Constraints|State\n"
        "7|2026-11-30T23:59:50|4|cpu=64,gres/gpu=32,node=4|1-00:00:01|h100&tp8|COMPLETED\n"
        "7.batch|2026-11-30T23:59:50|1|cpu=64,gres/gpu=8,node=1|1-00:00:01||COMPLETED\n"
        "8|2026-12-01T00:00:00|0||00:00:00||CANCELLED by 0\n");
    ASSERT_EQ(trace.jobs.size(), 1U);
    EXPECT_EQ(trace.jobs[0].id, "7");
    EXPECT_EQ(trace.jobs[0].gpus_per_node, 8U);
    EXPECT_EQ(trace.jobs[0].runtime, 86401);
    EXPECT_EQ(trace.jobs[0].hints.to_string(), "tp8");
    EXPECT_EQ(trace.steps, 1U);
    EXPECT_EQ(trace.never_ran, 1U);
}

TEST(Trace, HintsOfAReceipt) {
    Receipt receipt;
    receipt.hints.tp = 16;
    receipt.nodes = 4;
    receipt.gpus_per_node = 4;
    const Trace trace = parsed("submit|nodes|gpus|runtime|AdminComment\n0|4|4|1|" +
                               format_receipt(receipt) + "\n0|4|4|1|kept for alice\n");
    ASSERT_EQ(trace.jobs.size(), 2U);
    EXPECT_EQ(trace.jobs[0].hints.to_string(), "tp16");
    EXPECT_TRUE(trace.jobs[1].hints.empty());
}

TEST(Trace, MoreExactColumnCounts) {
    EXPECT_EQ(parsed("submit,nodes,gpus,Elapsed,ElapsedRaw\n0,1,1,00:01:00,61\n").jobs[0].runtime,
              61);
}

TEST(Trace, ErrorsNameLineColumnValueAndRemedy) {
    const std::string head = "submit,nodes,gpus,hints,runtime\n0,1,1,,1\n";
    EXPECT_EQ(error_of(head + "x,1,1,,1\n"),
              "t.csv: line 3: submit is \"x\", must be seconds or a time like 2026-11-30T21:04:05");
    EXPECT_THAT(error_of(head + "0,1K,1,,1\n"), StartsWith("t.csv: line 3: nodes is \"1K\", "));
    EXPECT_THAT(error_of(head + "0,1,eight,,1\n"), HasSubstr("gpus is \"eight\", must be the"));
    EXPECT_THAT(error_of(head + "0,1,1025,,1\n"), HasSubstr("at most 1024 on a node"));
    EXPECT_THAT(error_of(head + "0,1,1,,soon\n"),
                HasSubstr("runtime is \"soon\", must be seconds"));
    EXPECT_THAT(error_of(head + "0,1,1,tp=8,1\n"),
                HasSubstr("hints is \"tp=8\", which is no hint"));
    EXPECT_THAT(error_of(head + "0,1,1\n"), HasSubstr("line 3: has 3 fields, the header has 5"));
}

TEST(Trace, UnevenGpusOfAJobAreAnError) {
    EXPECT_THAT(error_of("submit,nodes,AllocTRES,runtime\n0,3,gres/gpu=8,1\n"),
                HasSubstr("do not divide evenly by 3 nodes"));
}

TEST(Trace, MissingColumnNamesWhatWouldDo) {
    EXPECT_THAT(error_of("submit,nodes,runtime\n0,1,1\n"),
                HasSubstr("line 1: the header has no column named one of: gpus, gpus_per_node, "));
}

TEST(Trace, NothingToPlayIsAnError) {
    EXPECT_THAT(error_of(""), HasSubstr("t.csv: is empty"));
    EXPECT_THAT(error_of("submit,nodes,gpus,runtime\n0,1,1,0\n"), HasSubstr("no job that ran"));
}

TEST(Trace, MissingFileIsToldApart) {
    const auto trace = load_trace("/nowhere/t.csv");
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.status().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace yardmaster
