#include "docgen/roff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster::docgen {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(const std::string& markdown) {
    return to_man_page({"name.json", "5", "a file", "1.2"}, markdown);
}

TEST(ManPage, HasTitleNameAndNoDate) {
    const std::string text = page("# Title\n\nWords.\n");
    EXPECT_THAT(text, HasSubstr(".TH \"NAME.JSON\" 5 \"\" \"Yardmaster 1.2\" \"Yardmaster\"\n"));
    EXPECT_THAT(text, HasSubstr(".SH NAME\nname.json \\- a file\n.SH DESCRIPTION\n.PP\nWords.\n"));
    EXPECT_THAT(text, Not(HasSubstr("Title")));
}

TEST(ManPage, HeadingsLosesMarks) {
    EXPECT_THAT(page("## `health` keys\n"), HasSubstr(".SH \"HEALTH KEYS\"\n"));
    EXPECT_THAT(page("### sub\n"), HasSubstr(".SS \"sub\"\n"));
}

TEST(ManPage, CodeKeepsItsLinesAndIsNoRequest) {
    EXPECT_THAT(page("```\n.so x\n\n  a\\b -N\n```\n"),
                HasSubstr(".nf\n\\&.so x\n\\&\n  a\\eb \\-N\n.fi\n"));
}

TEST(ManPage, LinesThatLookLikeRequestsAreText) {
    EXPECT_THAT(page(".bashrc is read\n"), HasSubstr(".PP\n\\&.bashrc is read\n"));
    EXPECT_THAT(page("'tis\n"), HasSubstr(".PP\n\\(aqtis\n"));
}

TEST(ManPage, TableIsAListTaggedWithItsFirstColumn) {
    const std::string text =
        page("| key | kind | meaning |\n|---|---|---|\n| `a` | x \\| y | z |\n");
    EXPECT_THAT(text, HasSubstr(".TP\n\\fBa\\fR\nkind: x | y\n.br\nz\n"));
}

TEST(ManPage, ListsKeepTheirItems) {
    EXPECT_THAT(page("- one\n  more\n- two\n"),
                HasSubstr(".IP \\(bu 2\none more\n.IP \\(bu 2\ntwo\n"));
    EXPECT_THAT(page("1. one\n2. two\n"), HasSubstr(".IP 1. 4\none\n.IP 2. 4\ntwo\n"));
}

TEST(InlineRoff, MarksBecomeFonts) {
    EXPECT_EQ(inline_roff("a `b-c` **d** *e*"), "a \\fBb\\-c\\fR \\fBd\\fR \\fIe\\fR");
    EXPECT_EQ(inline_roff("2 * 3 \\| `a*b*c`"), "2 * 3 | \\fBa*b*c\\fR");
    EXPECT_EQ(inline_roff("[text](page.md) [site](https://x.y)"), "text site (https://x.y)");
    EXPECT_EQ(inline_roff("[1-3] (x)"), "[1\\-3] (x)");
}

TEST(InlineRoff, CharactersBeyondAsciiAreWrittenByNumber) {
    EXPECT_EQ(inline_roff("a\u00d7b \u2264 \U0001F600"), "a\\[u00D7]b \\[u2264] \\[u1F600]");
}

}  // namespace
}  // namespace yardmaster::docgen
