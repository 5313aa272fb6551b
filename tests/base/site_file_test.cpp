#include "base/site_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::HasSubstr;

struct Track {
    double gauge = 1.435;
};

ConfigTable<Track> table() {
    return {{"placement.gauge", number_key<&Track::gauge>(1, 2), "m", "1.0", "Gauge.", "A rule."}};
}

Result<Track> parse(const std::string& text) {
    return parse_site_file(text, "/etc/slurm/yardmaster.json", table());
}

TEST(SiteFile, EverySectionMayBeAbsentAndOthersPass) {
    EXPECT_EQ(parse("{}")->gauge, 1.435);
    EXPECT_EQ(parse(R"({"health": {"no such": "key"}})")->gauge, 1.435);
    EXPECT_EQ(parse(R"({"health": 7, "placement": {"gauge": 1.5}})")->gauge, 1.5);
}

TEST(SiteFile, MistakesNameTheFileAndThePlace) {
    const std::pair<std::string, const char*> cases[] = {
        {"", "yardmaster.json: line 1"},
        {"[]", "yardmaster.json: $: is []"},
        {R"({"placment": {}})", "$.placment: unknown key; known here: placement, health"},
        {R"({"placement": []})", "$.placement"},
        {R"({"placement": {"gauge": 3}})", "$.placement.gauge: is 3, must be a number from 1 to 2"},
        {std::string(kSiteFileMaxBytes + 1, ' '), "yardmaster.json: has more than 1048576 bytes"}};
    for (const auto& [text, said] : cases) {
        const auto track = parse(text);
        ASSERT_FALSE(track) << said;
        EXPECT_EQ(track.status().code(), ErrorCode::kMalformed);
        EXPECT_THAT(track.status().message(), HasSubstr(said));
    }
}

TEST(SiteFile, WholeTextIsRead) {
    const ScratchFolder folder;
    const std::string file = folder / "yardmaster.json";
    EXPECT_EQ(read_site_file(file).status().code(), ErrorCode::kNotFound);
    const std::string text(kSiteFileMaxBytes, 'x');
    write_file(file, text);
    EXPECT_EQ(read_site_file(file).value(), text);
    write_file(file, text + "x");
    EXPECT_EQ(read_site_file(file).status().code(), ErrorCode::kMalformed);
}

TEST(SiteFile, NothingButARegularFileIsWaitedFor) {
    const ScratchFolder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& file : {pipe, folder.path(), std::string("/dev/zero")}) {
        const Status status = read_site_file(file).status();
        EXPECT_EQ(status.code(), ErrorCode::kUnreadable) << file;
        EXPECT_THAT(status.message(), HasSubstr(file + ": is no regular file"));
    }
}

}  // namespace
}  // namespace yardmaster::testing
