// SoftMark: what the prolog writes into a node's Extra and what others may have written there.
#include "topology/soft_mark.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

TEST(SoftMark, LineIsJsonAndReadsBack) {
    const SoftMark mark{"mlx5_3 flapped", 1796094669, 1796181069};
    const std::string line = format_soft_mark(mark);
    EXPECT_EQ(line,
              R"({"yardmaster":{"soft":"mlx5_3 flapped","since":1796094669,"until":1796181069}})");
    EXPECT_EQ(parse_soft_mark(line), mark);
}

TEST(SoftMark, CauseStaysPlainAndShort) {
    const SoftMark mark{"a\"b\\c\n" + std::string(100, 'x'), 1, 2};
    const auto back = parse_soft_mark(format_soft_mark(mark));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->cause, "a?b?c?" + std::string(kSoftCauseMaxBytes - 6, 'x'));
}

TEST(SoftMark, ForeignTextIsNoMark) {
    for (const char* text :
         {"",
          "rack 12",
          R"({"room":"b"})",
          R"({"yardmaster":{}})",
          R"({"yardmaster":{"soft":"x)",
          R"({"yardmaster":{"soft":"x","since":1,"until":}})",
          R"({"yardmaster":{"soft":"x","since":-1,"until":2}})",
          R"({"yardmaster":{"soft":"x","since":1,"until":99999999999999999999}})",
          R"({"yardmaster":{"soft":"x","since":1,"until":2}} rack 12)",
          R"( {"yardmaster":{"soft":"x","since":1,"until":2}})"}) {
        EXPECT_FALSE(parse_soft_mark(text)) << text;
    }
}

TEST(SoftMark, EveryCutLineIsNoMark) {
    const std::string line = format_soft_mark({"mlx5_3 errors", 10, 20});
    for (std::size_t size = 0; size < line.size(); ++size) {
        EXPECT_FALSE(parse_soft_mark(std::string_view(line).substr(0, size))) << size;
    }
}

TEST(SoftMark, CountsUntilItsTime) {
    const SoftMark mark{"x", 10, 20};
    EXPECT_TRUE(mark.in_force(19));
    EXPECT_FALSE(mark.in_force(20));
}

}  // namespace
}  // namespace yardmaster
