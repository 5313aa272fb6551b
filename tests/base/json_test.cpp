#include "base/json.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

TEST(JsonNode, ErrorsNamePathValueAndExpectation) {
    auto document = JsonDocument::parse(R"({"a": [{"gpus": "eight"}]})");
    ASSERT_TRUE(document);
    auto elements = document->root().at("a")->elements();
    ASSERT_TRUE(elements);
    auto gpus = elements->front().at("gpus")->integer(1, 64);
    EXPECT_EQ(gpus.status().code(), ErrorCode::kMalformed);
    EXPECT_EQ(gpus.status().message(),
              "$.a[0].gpus: is \"eight\", must be an integer from 1 to 64");
}

TEST(JsonNode, AbsentMemberIsNamed) {
    auto document = JsonDocument::parse(R"({"a": {}})");
    ASSERT_TRUE(document);
    EXPECT_EQ(document->root().at("a")->at("b").status().message(), "$.a: lacks \"b\"");
}

TEST(JsonNode, UnknownKeyIsAnError) {
    auto document = JsonDocument::parse(R"({"gpus": 8, "gpu": 8})");
    ASSERT_TRUE(document);
    EXPECT_EQ(document->root().only_keys({"gpus", "name"}).message(),
              "$.gpu: unknown key; known here: gpus, name");
}

TEST(JsonDocument, TruncatedTextNamesLineAndColumn) {
    auto document = JsonDocument::parse("{\"a\": 1,\n\"b\": ");
    ASSERT_FALSE(document);
    EXPECT_NE(document.status().message().find("line 2"), std::string::npos);
}

TEST(JsonDocument, DuplicateKeyIsAnError) {
    EXPECT_FALSE(JsonDocument::parse(R"({"a": 1, "a": 2})"));
}

TEST(JsonDocument, AbsentFileAndFolderAreToldApart) {
    EXPECT_EQ(JsonDocument::load("/nonexistent/f.json").status().code(), ErrorCode::kNotFound);
    EXPECT_EQ(JsonDocument::load("/").status().code(), ErrorCode::kUnreadable);
}

}  // namespace
}  // namespace yardmaster
