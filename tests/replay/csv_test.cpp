#include "replay/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<CsvRecord> parsed(std::string_view text) {
    auto records = parse_csv(text);
    EXPECT_TRUE(records) << records.status().message();
    return records ? *records : std::vector<CsvRecord>{};
}

TEST(Csv, RecordsKnowTheirLines) {
    const auto records = parsed("# a comment\n\na,b\n1,2\n\n3,\n");
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].line, 3U);
    EXPECT_THAT(records[0].fields, ElementsAre("a", "b"));
    EXPECT_EQ(records[2].line, 6U);
    EXPECT_THAT(records[2].fields, ElementsAre("3", ""));
}

TEST(Csv, QuotedFieldsHoldSeparatorsQuotesAndLineEnds) {
    const auto records =
        parsed("a,b\n\"cpu=1,gres/gpu=4\",\"he said \"\"no\"\"\"\n\"x\ny\",z\nlast,1");
    ASSERT_EQ(records.size(), 4U);
    EXPECT_THAT(records[1].fields, ElementsAre("cpu=1,gres/gpu=4", "he said \"no\""));
    EXPECT_THAT(records[2].fields, ElementsAre("x\ny", "z"));
    EXPECT_EQ(records[3].line, 5U);
}

TEST(Csv, BarInTheHeaderSeparates) {
    const auto records = parsed("a|b\ncpu=1,mem=2|3\n");
    ASSERT_EQ(records.size(), 2U);
    EXPECT_THAT(records[1].fields, ElementsAre("cpu=1,mem=2", "3"));
}

TEST(Csv, BarBelowTheHeaderIsText) {
    EXPECT_THAT(parsed("a,b\nx|y,1\n")[1].fields, ElementsAre("x|y", "1"));
}

TEST(Csv, WindowsLineEndsAndByteOrderMarkAreNoText) {
    const auto records = parsed(
        "\xEF\xBB\xBF"
        "a,b\r\n1,\"2\"\r\n");
    ASSERT_EQ(records.size(), 2U);
    EXPECT_THAT(records[0].fields, ElementsAre("a", "b"));
    EXPECT_THAT(records[1].fields, ElementsAre("1", "2"));
}

TEST(Csv, OpenQuoteIsToldWithTheLineWhereItBegins) {
    const auto records = parse_csv("a,b\n1,2\n3,\"4\n5,6\n");
    ASSERT_FALSE(records);
    EXPECT_THAT(records.status().message(), HasSubstr("line 3: a quote"));
}

TEST(Csv, TextAfterAClosingQuoteIsAnError) {
    const auto records = parse_csv("a,b\n\"1\"2,3\n");
    ASSERT_FALSE(records);
    EXPECT_THAT(records.status().message(), HasSubstr("line 2: text follows a closing quote"));
}

TEST(Csv, EmptyTextHasNoRecords) {
    EXPECT_TRUE(parsed("").empty());
    EXPECT_TRUE(parsed("\n# only words\n").empty());
}

}  // namespace
}  // namespace yardmaster
