// The helpers that all commands print with.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
    Table table({"node", "why"});
    table.add({"yard03", "port"});
    table.add({"n1"});
    std::ostringstream out;
    table.print(out, 2);
    EXPECT_EQ(out.str(), "  node    why\n  yard03  port\n  n1\n");
}

TEST(Table, WidthIsCountedInCharacters) {
    Table table({"", ""});
    table.add({"■■", "a"});
    table.add({"abc", "b"});
    std::ostringstream out;
    table.print(out);
    EXPECT_EQ(out.str(), "■■   a\nabc  b\n");
}

TEST(Words, CountsAndNumbers) {
    EXPECT_EQ(count_of(1, "node"), "1 node");
    EXPECT_EQ(count_of(0, "node"), "0 nodes");
    EXPECT_EQ(count_of(2, "entry", "entries"), "2 entries");
    EXPECT_EQ(number(2), "2");
    EXPECT_EQ(number(0.125), "0.125");
    EXPECT_EQ(number(100), "100");
    EXPECT_EQ(tier_name(1), "pod");
    EXPECT_EQ(tier_name(3), "tier 3 unit");
}

}  // namespace
}  // namespace yardmaster::cli
