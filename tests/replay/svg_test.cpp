#include "replay/svg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/svg_text.hpp"
#include "tests/replay/stream.hpp"
#include "tests/topology/fabric_maker.hpp"

namespace yardmaster {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::FabricMaker;
using testing_support::stream;

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        ++found;
    }
    return found;
}

/// Why `text` is no well-formed XML as far as our pictures use it; "" when it is.
std::string xml_fault(std::string_view text) {
    std::vector<std::string> open;
    while (!text.empty()) {
        const std::size_t begin = text.find('<');
        const std::string_view content = text.substr(0, begin);
        if (content.find('>') != content.npos) {
            return "stray > in: " + std::string(content);
        }
        if (begin == text.npos) {
            break;
        }
        const std::size_t end = text.find('>', begin);
        if (end == text.npos) {
            return "unclosed tag";
        }
        const std::string tag(text.substr(begin + 1, end - begin - 1));
        text.remove_prefix(end + 1);
        if (tag.find('<') != tag.npos || count(tag, "\"") % 2 != 0) {
            return "bad tag: " + tag;
        }
        const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
        if (tag.starts_with('/')) {
            if (open.empty() || "/" + open.back() != tag) {
                return "closes nothing: " + tag;
            }
            open.pop_back();
        } else if (!tag.ends_with('/') && !tag.starts_with('?')) {
            open.push_back(name);
        }
    }
    return open.empty() ? "" : "left open: " + open.back();
}

std::string picture(const std::vector<TraceJob>& jobs) {
    FabricMaker maker(4);
    const UnitIndex core = maker.unit();
    maker.domain(maker.leaf(core, 3));
    maker.domain(maker.leaf(core, 3));
    const Fabric fabric = maker.make();
    const Placer placer(fabric);
    const auto comparison = compare_policies(fabric, placer, jobs, policy_names());
    EXPECT_TRUE(comparison) << comparison.status().message();
    return draw_svg(fabric, *comparison);
}

TEST(Svg, IsWellFormedAndPlain) {
    auto jobs = stream({{0, 2, 4, 600, "tp8"}, {5, 4, 4, 900, "tp8"}, {9, 1, 2, 60, ""}});
    jobs[0].id = "<&\">\x01\xC3\xA9";
    const std::string svg = picture(jobs);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_THAT(svg, HasSubstr("<title>job &lt;&amp;&quot;&gt;???: 2 nodes x 4 GPUs, tp8"));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_THAT(svg, Not(HasSubstr("href")));
}

TEST(Svg, HasAPanelForEachPolicyAndEveryJobInIt) {
    const std::string svg = picture(stream({{0, 2, 4, 600, "tp8"}, {5, 4, 4, 900, "tp8"}}));
    for (const std::string& policy : policy_names()) {
        EXPECT_THAT(svg, HasSubstr(">" + policy + ": 2 jobs, "));
    }
    EXPECT_GE(count(svg, "<title>job 1: "), 4U);
}

TEST(Svg, SplitJobsAreOutlined) {
    // First fit puts the second pair on the third and the fourth node: two racks.
    const std::string svg = picture(stream({{0, 2, 4, 600, "tp8"}, {0, 2, 4, 600, "tp8"}}));
    EXPECT_GE(count(svg, ", TP groups split</title>"), 1U);
    EXPECT_THAT(svg, HasSubstr("first-fit: 2 jobs, 1 of 2 TP groups split"));
    EXPECT_THAT(svg, HasSubstr("yardmaster: 2 jobs, 0 of 2 TP groups split"));
}

TEST(Svg, JobsOnOneNodeDoNotCoverEachOther) {
    const std::string svg = picture(stream({{0, 1, 2, 600, ""}, {0, 1, 2, 600, ""}}));
    // Rows are 12 pixels high: the lower half begins 6 below the panel's top.
    EXPECT_THAT(svg, HasSubstr("y=\"34\" width=\"1000\" height=\"6\""));
    EXPECT_THAT(svg, HasSubstr("y=\"40\" width=\"1000\" height=\"6\""));
}

TEST(Svg, ColorsOfNeighbouringJobsDiffer) {
    EXPECT_NE(svg_color(1), svg_color(2));
    EXPECT_EQ(svg_color(1).size(), 7U);
    EXPECT_EQ(svg_color(1), svg_color(1));
}

}  // namespace
}  // namespace yardmaster
