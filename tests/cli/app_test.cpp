#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command.hpp"

namespace yardmaster::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(App, VersionIsTheProjects) {
    const CommandRun run = run_command({"--version"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out, "yardmaster " YM_VERSION "\n");
}

class Help : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Help, HasExamplesAndExitCodes) {
    std::vector<std::string> words = GetParam();
    words.push_back("--help");
    const CommandRun run = run_command(words);
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, HasSubstr("Examples:\n  yardmaster " + GetParam().front()));
    EXPECT_THAT(run.out, HasSubstr("Exit codes:\n  0  "));
}

INSTANTIATE_TEST_SUITE_P(Commands,
                         Help,
                         testing::Values(std::vector<std::string>{"fabric", "check"},
                                         std::vector<std::string>{"plan"},
                                         std::vector<std::string>{"explain"},
                                         std::vector<std::string>{"drains"},
                                         std::vector<std::string>{"evidence"},
                                         std::vector<std::string>{"replay-evidence"},
                                         std::vector<std::string>{"check"},
                                         std::vector<std::string>{"recheck"},
                                         std::vector<std::string>{"resume"},
                                         std::vector<std::string>{"journal"}));

class BadUsage : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(BadUsage, IsExplainedOnTheErrorStream) {
    const CommandRun run = run_command(GetParam());
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, StartsWith("yardmaster: "));
}

INSTANTIATE_TEST_SUITE_P(
    Commands,
    BadUsage,
    testing::Values(std::vector<std::string>{},
                    std::vector<std::string>{"shunt"},
                    std::vector<std::string>{"fabric"},
                    std::vector<std::string>{"fabric", "check"},
                    std::vector<std::string>{"plan", "f.json", "-N", "0", "-g", "8"},
                    std::vector<std::string>{"plan", "f.json", "-N", "many", "-g", "8"},
                    std::vector<std::string>{"plan", "f.json", "-g", "8"},
                    std::vector<std::string>{"explain"},
                    std::vector<std::string>{"explain", "twelve"},
                    std::vector<std::string>{"evidence"},
                    std::vector<std::string>{"evidence", "../etc/passwd"},
                    std::vector<std::string>{"resume"},
                    std::vector<std::string>{"resume", "yard04", "--force"},
                    std::vector<std::string>{"journal", "--since", "yesterday"},
                    std::vector<std::string>{"drains", "--jsn"}));

}  // namespace
}  // namespace yardmaster::cli
