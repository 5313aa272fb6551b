#include "topology/receipt.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

Receipt sample() {
    Receipt receipt;
    receipt.hints = *parse_hints("tp8&pp2&rail");
    receipt.nodes = 32;
    receipt.gpus_per_node = 8;
    receipt.facts.tp_groups = 32;
    receipt.facts.nvlink_domains = 32;
    receipt.facts.units_touched = {2, 1, 1};
    receipt.facts.ring_edges_leaving = {2, 0, 0};
    receipt.facts.ring_edges = 32;
    receipt.rank = 1;
    return receipt;
}

TEST(Receipt, LineReadsWell) {
    Receipt receipt = sample();
    receipt.note = "leaf dropped: 4 < 8";
    EXPECT_EQ(format_receipt(receipt),
              "yardmaster: by=yardmaster hints=tp8&pp2&rail nodes=32 gpus=8 tp=32/0 domains=32 "
              "units=2,1,1 ring=32/2,0,0 rank=1 note=leaf dropped: 4 < 8");
}

TEST(Receipt, RoundTripsWithAndWithoutNote) {
    for (const char* note : {"", "soft hints given up: no fabric file", "a=b note=c"}) {
        Receipt receipt = sample();
        receipt.chooser = Receipt::Chooser::kStock;
        receipt.note = note;
        auto back = parse_receipt(format_receipt(receipt));
        ASSERT_TRUE(back) << back.status().message();
        EXPECT_EQ(back->note, note);
        EXPECT_EQ(back->chooser, Receipt::Chooser::kStock);
        EXPECT_EQ(back->hints, receipt.hints);
        EXPECT_EQ(back->facts.units_touched, receipt.facts.units_touched);
        EXPECT_EQ(format_receipt(*back), format_receipt(receipt));
    }
}

TEST(Receipt, SoftDegradedNodesHaveAWordOnlyWhereThereWereAny) {
    Receipt receipt = sample();
    receipt.soft_taken = 1;
    receipt.soft_left = 4;
    const std::string line = format_receipt(receipt);
    EXPECT_NE(line.find(" soft=1/4"), std::string::npos) << line;
    const auto back = parse_receipt(line);
    ASSERT_TRUE(back) << back.status().message();
    EXPECT_EQ(back->soft_taken, 1U);
    EXPECT_EQ(back->soft_left, 4U);
    EXPECT_EQ(format_receipt(sample()).find("soft="), std::string::npos);
}

TEST(Receipt, WeightsStandBeforeTheNoteWhereTheyAreNotTheDefaults) {
    Receipt receipt = sample();
    receipt.weights = "0a1b2c3d";
    for (const char* note : {"", "leaf dropped weights=no"}) {
        receipt.note = note;
        const std::string line = format_receipt(receipt);
        EXPECT_NE(line.find(" rank=1 weights=0a1b2c3d"), std::string::npos) << line;
        const auto back = parse_receipt(line);
        ASSERT_TRUE(back) << back.status().message();
        EXPECT_EQ(back->weights, "0a1b2c3d");
        EXPECT_EQ(back->note, note);
    }
}

TEST(Receipt, LineOfAnOlderVersionHasNoWeights) {
    const auto old = parse_receipt(
        "yardmaster: by=stock hints=- nodes=2 gpus=8 tp=0/0 domains=2 units=1 ring=2/0 rank=0 "
        "note=weights=none");
    ASSERT_TRUE(old) << old.status().message();
    EXPECT_EQ(old->weights, "");
    EXPECT_EQ(old->note, "weights=none");
}

TEST(Receipt, WhatIsKnownOfGpusAndTimesHasWords) {
    Receipt receipt = sample();
    receipt.gpus = 0b1111;
    receipt.seconds = 1.23456;
    receipt.best_seconds = 0.000987654;
    receipt.note = "so it is";
    const std::string line = format_receipt(receipt);
    EXPECT_TRUE(line.ends_with(" rank=1 gpuset=0-3 time=1.235 best=0.0009877 note=so it is"))
        << line;
    auto back = parse_receipt(line);
    ASSERT_TRUE(back) << back.status().message();
    EXPECT_EQ(back->gpus, receipt.gpus);
    EXPECT_DOUBLE_EQ(back->seconds, 1.235);
    EXPECT_DOUBLE_EQ(back->best_seconds, 0.0009877);
    EXPECT_EQ(back->note, "so it is");
}

TEST(Receipt, EarlierLinesHaveFewerWordsAndLaterOnesMore) {
    const std::string line = format_receipt(sample());
    auto earlier = parse_receipt(line);
    ASSERT_TRUE(earlier) << earlier.status().message();
    EXPECT_EQ(earlier->gpus, 0U);
    EXPECT_EQ(earlier->seconds, 0);
    auto later = parse_receipt(line + " colour=blue best=2 note=n");
    ASSERT_TRUE(later) << later.status().message();
    EXPECT_EQ(later->best_seconds, 2);
    EXPECT_EQ(later->note, "n");
}

TEST(Receipt, DamagedOptionalWordsAreMalformed) {
    const std::string line = format_receipt(sample());
    for (const char* word : {" gpuset=", " gpuset=3-1", " time=soon", " best=-1", " =1", "  "}) {
        EXPECT_EQ(parse_receipt(line + word).status().code(), ErrorCode::kMalformed) << word;
    }
}

TEST(Receipt, EmptyReceiptRoundTrips) {
    auto back = parse_receipt(format_receipt(Receipt{}));
    ASSERT_TRUE(back) << back.status().message();
    EXPECT_TRUE(back->hints.empty());
    EXPECT_TRUE(back->facts.units_touched.empty());
}

TEST(Receipt, LongNoteIsCutAndFactsAreKept) {
    Receipt receipt = sample();
    receipt.note = std::string(1000, 'x');
    const std::string line = format_receipt(receipt);
    EXPECT_EQ(line.size(), kReceiptMaxBytes);
    EXPECT_EQ(parse_receipt(line)->facts.ring_edges, 32u);
}

TEST(Receipt, StaysShortWhateverItHolds) {
    Receipt receipt = sample();
    receipt.hints = *parse_hints("tp65536&cp65536&ep65536&pp65536&dp65536&rail&leaf");
    receipt.nodes = receipt.gpus_per_node = receipt.rank = UINT32_MAX;
    receipt.facts.tp_groups = receipt.facts.split_tp_groups = UINT32_MAX;
    receipt.facts.nvlink_domains = receipt.facts.ring_edges = UINT32_MAX;
    receipt.facts.units_touched.assign(16, UINT32_MAX);
    receipt.facts.ring_edges_leaving.assign(16, UINT32_MAX);
    receipt.weights = "ffffffff";
    receipt.gpus = 0x5555'5555'5555'5555;
    receipt.seconds = receipt.best_seconds = 1.234e-300;
    receipt.note = "note";
    EXPECT_LE(format_receipt(receipt).size(), kReceiptMaxBytes);
    EXPECT_TRUE(parse_receipt(format_receipt(receipt)));
}

TEST(Receipt, NoteIsMadePrintable) {
    Receipt receipt = sample();
    receipt.note = "line\nbreak \xc3\xa9";
    EXPECT_EQ(parse_receipt(format_receipt(receipt))->note, "line?break ??");
}

TEST(Receipt, OtherCommentsAreNotReceipts) {
    for (const char* text : {"", "ask Bob", "yardmaster", "Yardmaster: by=stock"}) {
        EXPECT_FALSE(is_receipt(text));
        EXPECT_EQ(parse_receipt(text).status().code(), ErrorCode::kNotFound);
    }
}

TEST(Receipt, DamagedReceiptIsMalformed) {
    const std::string line = format_receipt(sample());
    for (std::size_t length = 12; length + 1 < line.size(); ++length) {
        EXPECT_EQ(parse_receipt(line.substr(0, length)).status().code(), ErrorCode::kMalformed)
            << length;
    }
    EXPECT_EQ(parse_receipt(line + " x").status().code(), ErrorCode::kMalformed);
}

}  // namespace
}  // namespace yardmaster
