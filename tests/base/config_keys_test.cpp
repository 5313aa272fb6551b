#include "base/config_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using testing::HasSubstr;

struct Inner {
    unsigned count = 3;
    std::chrono::milliseconds wait{1500};
    std::chrono::seconds window{60};
};

struct Outer {
    bool on = true;
    double weight = 0.25;
    std::string folder = "/var/x";
    Inner inner;
};

ConfigTable<Outer> table() {
    return {{"part.on", flag_key<&Outer::on>(), "", "1.0", "On.", ""},
            {"part.weight", number_key<&Outer::weight>(0, 1), "", "1.0", "Weight.", "A paper."},
            {"part.folder", text_key<&Outer::folder>(TextRule::kAbsolutePath), "", "1.0", "", ""},
            {"part.inner.count", number_key<&Outer::inner, &Inner::count>(1, 9), "", "1.0", "", ""},
            {"part.inner.wait_s", number_key<&Outer::inner, &Inner::wait>(0.5, 9), "s", "", "", ""},
            {"top_s", number_key<&Outer::inner, &Inner::window>(1, 99), "s", "1.1", "Top.", ""}};
}

Status read(const std::string& text, Outer& object) {
    const auto document = JsonDocument::parse(text);
    return document ? read_config(document->root(), table(), "n7", object) : document.status();
}

TEST(ConfigKeys, EveryKeyReachesItsMember) {
    Outer object;
    const Status status = read(
        R"({"part": {"on": false, "weight": 0.5, "folder": "/a/%n/b%n/",
                     "inner": {"count": 9, "wait_s": 0.75}}, "top_s": 7})",
        object);
    ASSERT_TRUE(status) << status.message();
    EXPECT_FALSE(object.on);
    EXPECT_EQ(object.weight, 0.5);
    EXPECT_EQ(object.folder, "/a/n7/bn7");
    EXPECT_EQ(object.inner.count, 9u);
    EXPECT_EQ(object.inner.wait, std::chrono::milliseconds(750));
    EXPECT_EQ(object.inner.window, std::chrono::seconds(7));
}

TEST(ConfigKeys, AbsentKeysLeaveTheirMembers) {
    Outer object;
    ASSERT_TRUE(read(R"({"part": {"inner": {}}})", object));
    EXPECT_EQ(object.inner.count, 3u);
    EXPECT_EQ(object.folder, "/var/x");
}

TEST(ConfigKeys, MistakesAreNamedWithTheirPlaceAndTheLimit) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"part": {"inner": {"count": 10}}})", "$.part.inner.count: is 10, must be an integer"},
        {R"({"part": {"inner": {"count": 1.5}}})", "$.part.inner.count"},
        {R"({"part": {"inner": {"wait_s": 0.1}}})", "$.part.inner.wait_s: is 0.1"},
        {R"({"part": {"inner": 4}})", "$.part.inner: is 4, must be an object"},
        {R"({"part": {"inner": {"cuont": 4}}})", "unknown key; known here: count, wait_s"},
        {R"({"port": {}})", "$.port: unknown key; known here: part, top_s"},
        {R"({"part": {"folder": "x"}})", "must be an absolute path"},
        {R"({"part": {"folder": ""}})", "must be an absolute path"},
        {R"({"part": {"on": 1}})", "$.part.on"},
        {R"({"top_s": {}})", "$.top_s"}};
    for (const auto& [text, said] : cases) {
        Outer object;
        const Status status = read(text, object);
        EXPECT_EQ(status.code(), ErrorCode::kMalformed) << text;
        EXPECT_THAT(status.message(), HasSubstr(said));
    }
}

TEST(ConfigKeys, SectionsWithoutARowPassAndOthersDoNot) {
    const std::vector<std::string_view> sections{"part", "other"};
    const auto read_sections = [&](const std::string& text) {
        Outer object;
        return read_config(JsonDocument::parse(text)->root(), table(), "", object, sections);
    };
    EXPECT_TRUE(read_sections(R"({"other": {"any": ["thing"]}, "part": {"weight": 1}})"));
    EXPECT_THAT(read_sections(R"({"part": {"weight": 2}})").message(), HasSubstr("$.part.weight"));
    EXPECT_THAT(read_sections(R"({"othre": {}})").message(),
                HasSubstr("$.othre: unknown key; known here: part, top_s, other"));
}

TEST(ConfigKeys, DescriptionComesFromTheReaderAndTheDefaults) {
    const std::vector<ConfigKeyText> texts = describe_config(table());
    ASSERT_EQ(texts.size(), 6u);
    EXPECT_EQ(texts[0].type, "true or false");
    EXPECT_EQ(texts[0].default_value, "true");
    EXPECT_EQ(texts[1].type, "number");
    EXPECT_EQ(texts[1].limits, "0 to 1");
    EXPECT_EQ(texts[1].source, "A paper.");
    EXPECT_EQ(texts[2].default_value, "\"/var/x\"");
    EXPECT_EQ(texts[3].type, "integer");
    EXPECT_EQ(texts[4].type, "number");
    EXPECT_EQ(texts[4].default_value, "1.5");
    EXPECT_EQ(texts[5].type, "integer");
    EXPECT_EQ(texts[5].default_value, "60");
}

}  // namespace
}  // namespace yardmaster
