#include <gtest/gtest.h>

#include <sstream>

#include "cli/picture_text.hpp"
#include "tests/cli/command.hpp"

namespace yardmaster::cli {
namespace {

Fabric load(const std::string& name) {
    auto fabric = Fabric::load(data_file(name));
    EXPECT_TRUE(fabric) << fabric.status().message();
    return *fabric;
}

std::string draw(const Fabric& fabric,
                 const std::vector<CellState>& states,
                 const PictureStyle& style = {}) {
    std::ostringstream out;
    draw_text(make_picture(fabric, states), style, out);
    return out.str();
}

std::vector<CellState> two_pods_states() {
    std::vector<CellState> states(16, CellState::kFree);
    states[4] = states[5] = CellState::kChosen;
    states[6] = CellState::kPartUsed;
    states[8] = states[9] = CellState::kBusy;
    states[15] = CellState::kOut;
    return states;
}

TEST(Picture, ShowsEveryNodeUnderItsSwitch) {
    EXPECT_EQ(draw(load("two_pods.json"), two_pods_states()),
              "core               2 of 16 nodes\n"
              "|- pod1            2 of 8 nodes\n"
              "|  |- leaf1  ....\n"
              "|  `- leaf2  ##+.  2 of 4 nodes\n"
              "`- pod2\n"
              "   |- leaf3  oo..\n"
              "   `- leaf4  ...x\n"
              "one mark a node: # this job, . free, + part-used, o busy, x out of service\n");
}

TEST(Picture, ManyLeafGroupsAreSummedUp) {
    PictureStyle style;
    style.max_leaf_rows = 3;
    EXPECT_EQ(draw(load("two_pods.json"), two_pods_states(), style),
              "core               2 of 16 nodes\n"
              "|- pod1            2 of 8 nodes\n"
              "|  |- leaf2  ##+.  2 of 4 nodes\n"
              "|  `- (1 more leaf group: 4 free)\n"
              "`- (1 more pod: 5 free, 2 busy, 1 out of service)\n"
              "one mark a node: # this job, . free, + part-used, o busy, x out of service\n");
}

TEST(Picture, LongLeafGroupsAreWrapped) {
    PictureStyle style;
    style.cells_per_line = 3;
    const std::string text = draw(load("two_pods.json"), two_pods_states(), style);
    EXPECT_NE(text.find("|  `- leaf2  ##+  2 of 4 nodes\n|            .\n"), std::string::npos)
        << text;
}

TEST(Picture, SharedDomainsAreBracketed) {
    const Fabric fabric = load("interleaved.json");
    std::vector<CellState> states(8, CellState::kFree);
    states[0] = states[1] = CellState::kChosen;
    EXPECT_EQ(draw(fabric, states),
              "spine             2 of 8 nodes\n"
              "|- leafA  [#...]  1 of 4 nodes\n"
              "`- leafB  [#...]  1 of 4 nodes\n"
              "one mark a node: # this job, . free; [ ] one NVLink domain of several nodes\n");
}

TEST(Picture, UnicodeDrawsTheSameTree) {
    PictureStyle style;
    style.unicode = true;
    const std::string text = draw(load("two_pods.json"), two_pods_states(), style);
    EXPECT_NE(text.find("│  └─ leaf2  ■■◧·  2 of 4 nodes\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace yardmaster::cli
