#include "base/json_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace yardmaster {
namespace {

std::string text_read_back(std::string_view text) {
    const auto document = JsonDocument::parse(JsonValue::object().set("v", text).dump());
    return document ? *document->root().at("v")->string() : document.status().message();
}

TEST(JsonValue, MembersKeepTheirOrder) {
    const JsonValue json = JsonValue::object()
                               .set("b", 1)
                               .set("a", json_array_of(std::vector<std::string>{"x"}))
                               .set("n", nullptr);
    EXPECT_EQ(json.dump(), "{\n  \"b\": 1,\n  \"a\": [\n    \"x\"\n  ],\n  \"n\": null\n}");
    EXPECT_EQ(json.dump(0), "{\"b\":1,\"a\":[\"x\"],\"n\":null}");
}

TEST(JsonValue, ItemsAreConverted) {
    const auto doubled = [](int number) { return JsonValue(2 * number); };
    EXPECT_EQ(json_array_of(std::vector<int>{1, 2}, doubled).dump(0), "[2,4]");
}

TEST(JsonValue, Utf8PassesUnchanged) {
    EXPECT_EQ(text_read_back("µ ■ 𝄞 \x7f"), "µ ■ 𝄞 \x7f");
}

TEST(JsonValue, BytesThatAreNoUtf8AreSpeltOut) {
    EXPECT_EQ(text_read_back("bad \xff byte"), "bad \\xFF byte");
    EXPECT_EQ(text_read_back("caf\xe9"), "caf\\xE9");                       // Latin-1
    EXPECT_EQ(text_read_back("\xe2\x96"), "\\xE2\\x96");                    // cut off
    EXPECT_EQ(text_read_back("\xe2\x96■"), "\\xE2\\x96■");                  // then a whole one
    EXPECT_EQ(text_read_back("\xed\xa0\x80"), "\\xED\\xA0\\x80");           // a surrogate
    EXPECT_EQ(text_read_back("\xc0\xaf"), "\\xC0\\xAF");                    // overlong
    EXPECT_EQ(text_read_back("\xf5\x80\x80\x80"), "\\xF5\\x80\\x80\\x80");  // above U+10FFFF
}

TEST(JsonValue, NulIsSpeltOutSinceReadersRefuseIt) {
    EXPECT_EQ(text_read_back(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(JsonValue, NumbersWithoutAWordInJsonAreNull) {
    const JsonValue json = JsonValue::object()
                               .set("nan", std::nan(""))
                               .set("inf", std::numeric_limits<double>::infinity());
    EXPECT_EQ(json.dump(0), "{\"nan\":null,\"inf\":null}");
}

TEST(JsonValue, ExactNumbersReadBackAsTheyWere) {
    EXPECT_EQ(JsonValue(0.1).dump(), "0.1");
    const auto document = JsonDocument::parse(JsonValue::array().append(0.1 + 0.2).dump_exact());
    ASSERT_TRUE(document);
    EXPECT_EQ(*document->root().elements()->front().number(0, 1), 0.1 + 0.2);
}

}  // namespace
}  // namespace yardmaster
