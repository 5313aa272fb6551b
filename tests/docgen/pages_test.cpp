// The committed pages are what ym-docgen would write: nothing the code knows is told otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "docgen/parts.hpp"
#include "prolog/policy_keys.hpp"
#include "topology/placement_keys.hpp"

namespace yardmaster::docgen {
namespace {

using testing::HasSubstr;

std::string read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> pages() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(YM_DOCS)) {
        if (entry.path().extension() == ".md") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST(Pages, AreWhatTheCodeSays) {
    ASSERT_FALSE(pages().empty());
    for (const auto& file : pages()) {
        const std::string page = read(file);
        const auto filled = fill_page(page);
        ASSERT_TRUE(filled) << file << ": " << filled.status().message();
        EXPECT_EQ(page, *filled) << file << " is out of date; run ./dev docs and commit the change";
    }
}

TEST(Pages, EveryPartIsSomewhere) {
    std::string all;
    for (const auto& file : pages()) {
        all += read(file);
    }
    for (const char* part : {"policy-keys",
                             "commands",
                             "command-environment",
                             "prolog-environment",
                             "drain-reason",
                             "drain-causes",
                             "rdma-probe",
                             "nccl-probe"}) {
        EXPECT_THAT(all, HasSubstr("<!-- generated: " + std::string(part) + " -->"));
    }
}

TEST(Pages, PartIsWrittenBetweenItsMarksAndNothingElseChanges) {
    const std::string before = "a\n<!-- generated: policy-keys -->\nold\n<!-- end -->\nb\n";
    const auto after = fill_page(before);
    ASSERT_TRUE(after);
    EXPECT_THAT(*after, testing::StartsWith("a\n<!-- generated: policy-keys -->\n"));
    EXPECT_THAT(*after, testing::EndsWith("<!-- end -->\nb\n"));
    EXPECT_THAT(*after, testing::Not(HasSubstr("\nold\n")));
    EXPECT_EQ(*fill_page(*after), *after);
}

TEST(Pages, BrokenMarksAreErrors) {
    EXPECT_EQ(fill_page("<!-- generated: policy-keys -->\n").status().code(),
              ErrorCode::kMalformed);
    EXPECT_EQ(fill_page("<!-- generated: policy-keys\n<!-- end -->").status().code(),
              ErrorCode::kMalformed);
    const Status unknown = fill_page("<!-- generated: weather -->\n<!-- end -->").status();
    EXPECT_EQ(unknown.code(), ErrorCode::kNotFound);
    EXPECT_THAT(unknown.message(), HasSubstr("policy-keys"));
}

TEST(PolicyKeysPart, NamesEveryKeyWithDefaultAndMeaning) {
    const std::string part = policy_keys_part();
    std::vector<ConfigKeyText> keys = describe_config(policy_keys());
    for (ConfigKeyText& key : describe_config(placement_keys())) {
        keys.push_back(std::move(key));
    }
    for (const ConfigKeyText& key : keys) {
        EXPECT_THAT(part, HasSubstr("| `" + key.path + "` |"));
        EXPECT_THAT(part, HasSubstr("default `" + key.default_value + "`"));
        EXPECT_FALSE(key.meaning.empty()) << key.path;
        EXPECT_FALSE(key.since.empty()) << key.path;
        // A threshold without a source does not pass.
        EXPECT_EQ(key.source.empty(), key.type == "text" || key.type == "true or false")
            << key.path;
    }
}

TEST(DrainReasonPart, ShowsTheFormAndAReasonThatHasIt) {
    const std::string part = drain_reason_part();
    EXPECT_THAT(part, HasSubstr("ym <object> <what> job <job id> ev <evidence id>"));
    EXPECT_THAT(part, HasSubstr("\nym mlx5_3 100/400Gb job 4711 ev yard07-4711-1796082258 "));
}

}  // namespace
}  // namespace yardmaster::docgen
