#include "topology/fabric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string data(const std::string& file) {
    return std::string(YM_TEST_DATA) + "/" + file;
}

Fabric loaded(const std::string& file) {
    auto fabric = Fabric::load(data(file));
    EXPECT_TRUE(fabric) << fabric.status().message();
    return fabric ? std::move(fabric).value() : Fabric();
}

TEST(Fabric, HgxFileGivesPodsLeafGroupsAndLoneDomains) {
    const Fabric fabric = loaded("hgx.json");
    ASSERT_EQ(fabric.nodes().size(), 16u);
    EXPECT_EQ(fabric.domains().size(), 16u);
    EXPECT_EQ(fabric.largest_domain_gpus(), 8u);
    const auto node = fabric.find("yard09");
    ASSERT_TRUE(node);
    const UnitIndex leaf = *fabric.node(*node).leaf;
    EXPECT_EQ(fabric.unit(leaf).name, "leaf21");
    EXPECT_EQ(fabric.unit(*fabric.ancestor(leaf, 1)).name, "pod2");
    EXPECT_EQ(fabric.unit(*fabric.ancestor(leaf, 2)).name, "core");
    EXPECT_FALSE(fabric.ancestor(leaf, 3));
    EXPECT_FALSE(fabric.find("yard17"));
}

TEST(Fabric, ExceptionReplacesOrRemovesOneRail) {
    const Fabric fabric = loaded("hgx.json");
    EXPECT_EQ(fabric.rail(*fabric.find("yard03"), GpuIndex{2})->nic, "mlx5_9");
    EXPECT_EQ(fabric.rail(*fabric.find("yard03"), GpuIndex{3})->nic, "mlx5_3");
    EXPECT_FALSE(fabric.rail(*fabric.find("yard07"), GpuIndex{5}));
    EXPECT_FALSE(fabric.rail(*fabric.find("yard07"), GpuIndex{8}));
}

TEST(Fabric, Nvl72FileGivesRacksOfDifferentSizes) {
    const Fabric fabric = loaded("nvl72.json");
    ASSERT_EQ(fabric.domains().size(), 4u);
    EXPECT_EQ(fabric.domain(DomainIndex{1}).nodes.size(), 17u);
    EXPECT_EQ(fabric.domain(DomainIndex{3}).name, "login1");
    EXPECT_EQ(fabric.largest_domain_gpus(), 72u);
    EXPECT_FALSE(fabric.node(*fabric.find("login1")).leaf);
}

TEST(Fabric, AbsentFileIsNotFound) {
    EXPECT_EQ(Fabric::load(data("none.json")).status().code(), ErrorCode::kNotFound);
}

TEST(Fabric, IrregularTreesAreNormal) {
    auto fabric = Fabric::parse(R"({"version": 1, "node_types": {"t": {"gpus": 1}},
        "nodes": {"n[1-5]": "t"},
        "switches": [{"name": "r1", "children": [
                        {"name": "l1", "nodes": "n1"},
                        {"name": "p", "children": [{"name": "l2", "nodes": "n[3,2]"}]}]},
                     {"name": "r2", "oversubscription": 1.5, "nodes": "n4"}]})",
                                "f");
    ASSERT_TRUE(fabric) << fabric.status().message();
    EXPECT_EQ(fabric->units()[0].tier, 2u);
    EXPECT_THAT(fabric->units()[3].nodes, ElementsAre(NodeIndex{1}, NodeIndex{2}));
    EXPECT_FALSE(fabric->ancestor(UnitIndex{1}, 1)) << "l1 hangs right below tier 2";
}

TEST(Fabric, EveryTruncationIsAnErrorAndNoCrash) {
    const std::string text =
        R"({"version":1,"node_types":{"t":{"gpus":1,"rails":[{"nic":"m","gbps":1}]}},)"
        R"("nodes":{"n[1-2]":"t"},"nvlink_domains":{"d":"n[1-2]"},)"
        R"("switches":[{"name":"l","nodes":"n[1-2]"}],"exceptions":[]})";
    ASSERT_TRUE(Fabric::parse(text, "f"));
    for (std::size_t length = 0; length < text.size(); ++length) {
        auto fabric = Fabric::parse(text.substr(0, length), "f");
        ASSERT_EQ(fabric.status().code(), ErrorCode::kMalformed) << length;
        ASSERT_THAT(fabric.status().message(), HasSubstr("f: line "));
    }
}

struct BadFabric {
    const char* name;
    const char* members;  ///< put after a valid version, type t (2 GPUs) and nodes n1..n4
    const char* message;
};

void PrintTo(const BadFabric& bad, std::ostream* out) {
    *out << bad.name;
}

class FabricErrors : public testing::TestWithParam<BadFabric> {};

TEST_P(FabricErrors, NamePlaceValueAndRemedy) {
    const std::string text =
        std::string(
            R"({"version": 1, "node_types": {"t": {"gpus": 2}}, "nodes": {"n[1-4]": "t"})") +
        GetParam().members + "}";
    auto fabric = Fabric::parse(text, "fabric.json");
    ASSERT_FALSE(fabric);
    EXPECT_EQ(fabric.status().code(), ErrorCode::kMalformed);
    EXPECT_EQ(fabric.status().message(), std::string("fabric.json: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    FabricErrors,
    testing::Values(
        BadFabric{"UnknownKey",
                  R"(, "switchs": [])",
                  "$.switchs: unknown key; known here: version, node_types, nodes, "
                  "nvlink_domains, switches, exceptions"},
        BadFabric{
            "NodeInTwoLeafGroups",
            R"(, "switches": [{"name": "a", "nodes": "n1"}, {"name": "b", "nodes": "n[1-2]"}])",
            "$.switches[1].nodes: node \"n1\" is already in leaf group \"a\"; a node hangs "
            "below one leaf group, once"},
        BadFabric{"NodeInTwoDomains",
                  R"(, "nvlink_domains": {"a": "n[1-2]", "b": "n2"})",
                  "$.nvlink_domains.b: node \"n2\" is already in NVLink domain \"a\"; a node is in "
                  "one domain, once"},
        BadFabric{"NodeTwiceInOneDomain",
                  R"(, "nvlink_domains": {"a": "n1,n1"})",
                  "$.nvlink_domains.a: node \"n1\" is already in NVLink domain \"a\"; a node is in "
                  "one domain, once"},
        BadFabric{"UnknownNode",
                  R"(, "switches": [{"name": "a", "nodes": "n[4-5]"}])",
                  "$.switches[0].nodes: node \"n5\" is not defined in nodes"},
        BadFabric{"DuplicateUnit",
                  R"(, "switches": [{"name": "a", "nodes": "n1"}, {"name": "a", "nodes": "n2"}])",
                  "$.switches[1]: switch unit \"a\" is defined twice; names are unique"},
        BadFabric{"BadOversubscription",
                  R"(, "switches": [{"name": "a", "oversubscription": 0.5, "nodes": "n1"}])",
                  "$.switches[0].oversubscription: is 0.5, must be a number from 1 to 1000"},
        BadFabric{"BothChildrenAndNodes",
                  R"(, "switches": [{"name": "a", "nodes": "n1", "children": []}])",
                  "$.switches[0]: switch unit \"a\" has both \"children\" and \"nodes\"; give "
                  "\"nodes\" to a leaf group and \"children\" to all others"},
        BadFabric{"NeitherChildrenNorNodes",
                  R"(, "switches": [{"name": "a"}])",
                  "$.switches[0]: switch unit \"a\" has neither \"children\" nor \"nodes\"; give "
                  "\"nodes\" to a leaf group and \"children\" to all others"},
        BadFabric{"EmptyChildren",
                  R"(, "switches": [{"name": "a", "children": []}])",
                  "$.switches[0].children: is [], must hold at least one unit"},
        BadFabric{"BadHostlist",
                  R"(, "switches": [{"name": "a", "nodes": "n[1-"}])",
                  "$.switches[0].nodes: host list \"n[1-\": \"[\" without \"]\""},
        BadFabric{"EmptyHostlist",
                  R"(, "switches": [{"name": "a", "nodes": ""}])",
                  "$.switches[0].nodes: is \"\", must name at least one node"},
        BadFabric{"GpuOutOfRange",
                  R"(, "exceptions": [{"node": "n1", "gpu": 2, "nic": null}])",
                  "$.exceptions[0]: node \"n1\" has no GPU 2; its type has 2 GPUs, counted from 0"},
        BadFabric{"ExceptionOfUnknownNode",
                  R"(, "exceptions": [{"node": "n9", "gpu": 0, "nic": null}])",
                  "$.exceptions[0]: node \"n9\" is not defined in nodes"},
        BadFabric{"TwoExceptionsForOneGpu",
                  R"(, "exceptions": [{"node": "n1", "gpu": 0, "nic": null},
                                      {"node": "n1", "gpu": 0, "nic": "m", "gbps": 1}])",
                  "$.exceptions[1]: node \"n1\" has two exceptions for GPU 0; keep one"},
        BadFabric{"NicWithoutSpeed",
                  R"(, "exceptions": [{"node": "n1", "gpu": 0, "nic": "m"}])",
                  "$.exceptions[0]: lacks \"gbps\""},
        BadFabric{"DomainNamedAfterNode",
                  R"(, "nvlink_domains": {"n3": "n1"})",
                  "NVLink domain \"n3\" is named after a node outside it; rename the domain"}),
    [](const testing::TestParamInfo<BadFabric>& info) { return info.param.name; });

std::string error_of(const std::string& text) {
    return Fabric::parse(text, "f").status().message();
}

TEST(Fabric, OtherVersionIsUnsupported) {
    auto fabric = Fabric::parse(R"({"version": 2, "pods": []})", "f");
    EXPECT_EQ(fabric.status().code(), ErrorCode::kUnsupported);
    EXPECT_THAT(fabric.status().message(),
                HasSubstr("$.version: is 2, but this build reads version 1"));
}

TEST(Fabric, MissingVersionIsNamed) {
    EXPECT_EQ(error_of("{}"), "f: $: lacks \"version\"");
}

TEST(Fabric, RailsMustMatchGpus) {
    EXPECT_THAT(error_of(R"({"version": 1, "nodes": {},
        "node_types": {"t": {"gpus": 2, "rails": [{"nic": "m", "gbps": 1}]}}})"),
                HasSubstr("$.node_types.t: node type \"t\" has 1 rail for 2 GPUs; list one rail"));
}

TEST(Fabric, UnknownTypeIsNamed) {
    EXPECT_THAT(error_of(R"({"version": 1, "node_types": {}, "nodes": {"n1": "h100"}})"),
                HasSubstr("$.nodes.n1: node type \"h100\" is not defined in node_types"));
}

TEST(Fabric, NodeListedTwiceIsNamed) {
    EXPECT_THAT(error_of(R"({"version": 1, "node_types": {"t": {"gpus": 0}},
                            "nodes": {"n[1-2]": "t", "n2": "t"}})"),
                HasSubstr("$.nodes.n2: node \"n2\" is listed twice"));
}

TEST(Fabric, DeepTreeIsRefused) {
    std::string unit = R"({"name": "u0", "nodes": "n1"})";
    for (int i = 1; i < 20; ++i) {
        unit = R"({"name": "u)" + std::to_string(i) + R"(", "children": [)" + unit + "]}";
    }
    EXPECT_THAT(error_of(R"({"version": 1, "node_types": {"t": {"gpus": 0}},
                            "nodes": {"n1": "t"}, "switches": [)" +
                         unit + "]}"),
                HasSubstr("lies 17 tiers deep; at most 16"));
}

}  // namespace
}  // namespace yardmaster
