#include "topology/fabric_warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warnings_of(const std::string& members) {
    auto fabric = Fabric::parse(R"({"version": 1, "node_types": {"t": {"gpus": 1,
        "nvlink_gigabytes_per_s": 1, "rails": [{"nic": "m", "gbps": 1}]}},
        "nodes": {"n[1-4]": "t"})" + members +
                                    "}",
                                "f");
    EXPECT_TRUE(fabric) << fabric.status().message();
    return fabric ? fabric_warnings(*fabric) : std::vector<std::string>();
}

TEST(FabricWarnings, PlainFabricGivesNone) {
    EXPECT_THAT(warnings_of(R"(, "switches": [{"name": "l", "nodes": "n[1-4]"}])"), IsEmpty());
}

TEST(FabricWarnings, NoSwitchesAreMentionedOnce) {
    EXPECT_THAT(warnings_of(""), ElementsAre(HasSubstr("no switches")));
}

TEST(FabricWarnings, SpanningDomainUnplacedNodesAndRootsAreNamed) {
    EXPECT_THAT(warnings_of(R"(, "nvlink_domains": {"d": "n[1-2]"},
            "switches": [{"name": "l1", "nodes": "n1"}, {"name": "l2", "nodes": "n2"}])"),
                ElementsAre(HasSubstr("\"d\" spans leaf groups (\"l1\" and \"l2\")"),
                            HasSubstr("under no switch: n[3-4]"),
                            HasSubstr("2 separate fabrics (l1, l2)")));
}

TEST(FabricWarnings, MissingNicIsNamed) {
    EXPECT_THAT(warnings_of(R"(, "switches": [{"name": "l", "nodes": "n[1-4]"}],
                               "exceptions": [{"node": "n3", "gpu": 0, "nic": null}])"),
                ElementsAre("a GPU without its NIC on n3"));
}

TEST(FabricWarnings, TypeWithoutRailsOrNodesIsNamed) {
    auto fabric =
        Fabric::parse(R"({"version": 1, "node_types": {"t": {"gpus": 8}, "u": {"gpus": 0}},
        "nodes": {"n1": "t"}, "switches": [{"name": "l", "nodes": "n1"}]})",
                      "f");
    ASSERT_TRUE(fabric);
    EXPECT_THAT(fabric_warnings(*fabric),
                ElementsAre(HasSubstr("\"t\" has GPUs but no rails"),
                            HasSubstr("\"t\" has several GPUs but no nvlink"),
                            HasSubstr("\"u\" is used by no node")));
}

}  // namespace
}  // namespace yardmaster
