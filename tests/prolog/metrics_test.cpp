#include "prolog/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;
using testing::write_file;

Evidence run_of(Verdict verdict, const std::string& outcome = "none") {
    Evidence evidence;
    evidence.time = 1700000000;
    evidence.report.took = std::chrono::milliseconds(250);
    evidence.report.verdict = verdict;
    if (verdict != Verdict::kHealthy) {
        evidence.report.findings = {
            {"port", "mlx5_3", "port.rate", verdict, true, "100/400Gb", "slow"}};
    }
    evidence.action.outcome = outcome;
    return evidence;
}

std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(Metrics, CountersSurviveBetweenRuns) {
    const ScratchFolder folder;
    const std::string file = folder / "yardmaster.prom";
    ASSERT_TRUE(publish_run(run_of(Verdict::kHealthy), folder / "state", file));
    ASSERT_TRUE(publish_run(run_of(Verdict::kHealthy), folder / "state", file));
    ASSERT_TRUE(publish_run(run_of(Verdict::kDegraded, "drained"), folder / "state", file));
    ASSERT_TRUE(publish_run(run_of(Verdict::kDegraded, "breaker"), folder / "state", file));
    const std::string text = content(file);
    EXPECT_THAT(text, HasSubstr("yardmaster_checks_total{verdict=\"healthy\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("yardmaster_checks_total{verdict=\"unknown\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("yardmaster_drains_total{sign=\"port.rate\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("yardmaster_degraded_not_drained_total{outcome=\"breaker\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("yardmaster_check_duration_seconds_sum 1.000\n"));
    EXPECT_THAT(text, HasSubstr("yardmaster_check_duration_seconds_count 4\n"));
    EXPECT_THAT(
        text,
        HasSubstr("yardmaster_last_check_timestamp_seconds{verdict=\"healthy\"} 1700000000\n"));
    EXPECT_THAT(text, HasSubstr("yardmaster_simulated 0\n"));
}

TEST(Metrics, FileIsForAllAndNothingElseIsLeftThere) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "textfile");
    const std::string file = folder / "textfile/yardmaster.prom";
    ASSERT_TRUE(publish_run(run_of(Verdict::kHealthy), folder / "state", file));
    struct stat about {};
    ASSERT_EQ(stat(file.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0644u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "textfile"), {}), 1);
}

TEST(Metrics, MissingFolderOfTheCollectorIsAnErrorAndNotMade) {
    const ScratchFolder folder;
    const Status status =
        publish_run(run_of(Verdict::kHealthy), folder / "state", folder / "none/yardmaster.prom");
    EXPECT_EQ(status.code(), ErrorCode::kUnreadable);
    EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(Metrics, DamagedStateStartsAnew) {
    const ScratchFolder folder;
    write_file(folder / "state/metrics.json", "{");
    const std::string file = folder / "yardmaster.prom";
    ASSERT_TRUE(publish_run(run_of(Verdict::kUnknown), folder / "state", file));
    EXPECT_THAT(content(file), HasSubstr("yardmaster_checks_total{verdict=\"unknown\"} 1\n"));
}

TEST(Metrics, EveryLineHasTheTextFormat) {
    HealthTotals totals;
    count_run(run_of(Verdict::kDegraded, "drained"), totals);
    count_run(run_of(Verdict::kDegraded, "odd \"word\"\n"), totals);
    const std::regex sample(R"re([a-z_]+(\{[a-z]+="([^"\\]|\\.)*"\})? [0-9.]+)re");
    std::istringstream lines(prometheus_text(totals));
    std::string family;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# TYPE ")) {
            family = line.substr(7, line.find(' ', 7) - 7);
        } else if (!line.starts_with("# HELP ")) {
            EXPECT_TRUE(std::regex_match(line, sample)) << line;
            EXPECT_TRUE(line.starts_with(family)) << line << " below " << family;
        }
    }
}

}  // namespace
}  // namespace yardmaster
