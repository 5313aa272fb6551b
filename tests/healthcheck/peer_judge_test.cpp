#include "healthcheck/nvlink/peer_judge.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

constexpr NvmlNumber kJoined{kNvmlSuccess, 0};
constexpr NvmlNumber kApart{kNvmlSuccess, 5};

/// Eight GPUs whose NVML order is the reverse of their minors, all joined and all the job's.
struct Node {
    Node() {
        for (unsigned index = 0; index < 8; ++index) {
            GpuReading gpu;
            gpu.handle_code = kNvmlSuccess;
            gpu.index = index;
            gpu.minor = {kNvmlSuccess, 7 - index};
            gpu.model = "NVIDIA H100 80GB HBM3";
            gpu.mig_mode = {kNvmlSuccess, 0};
            for (unsigned other = 0; other < 8; ++other) {
                if (other != index) {
                    gpu.nvlink.peers.push_back({other, kJoined});
                }
            }
            gpus.push_back(gpu);
            scope.gpus.push_back(index);
        }
    }
    void set(unsigned minor_a, unsigned minor_b, NvmlNumber status) {
        for (auto [from, to] : {std::pair(minor_a, minor_b), std::pair(minor_b, minor_a)}) {
            for (PeerReading& peer : gpus[7 - from].nvlink.peers) {
                if (peer.index == 7 - to) {
                    peer.status = status;
                }
            }
        }
    }
    void cut_off(unsigned minor) {
        for (unsigned other = 0; other < 8; ++other) {
            set(minor, other, kApart);
        }
    }
    std::vector<Finding> judge() const { return judge_peers(scope, gpus); }

    CheckScope scope;
    std::vector<GpuReading> gpus;
};

TEST(PeerJudge, AllJoinedIsHealthy) {
    EXPECT_TRUE(Node().judge().empty());
}

TEST(PeerJudge, GpuWithSysWhereNvlinkBelongsIsNamedAlone) {
    Node node;
    node.cut_off(2);
    const auto findings = node.judge();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].object, "GPU2");
    EXPECT_EQ(findings[0].short_text, "no NVL path");
    EXPECT_EQ(combine(findings), Verdict::kDegraded);
}

TEST(PeerJudge, TwoCutOffGpusAreBothNamed) {
    Node node;
    node.cut_off(2);
    node.cut_off(5);
    EXPECT_EQ(node.judge().size(), 2u);
}

TEST(PeerJudge, OtherJobsGpusAreWitnesses) {
    Node node;
    node.cut_off(2);
    node.scope.gpus = {1, 2};
    const auto findings = node.judge();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].object, "GPU2");
    EXPECT_TRUE(findings[0].certain);
}

TEST(PeerJudge, CutOffGpuOfAnotherJobIsOutOfScope) {
    Node node;
    node.cut_off(2);
    node.scope.gpus = {0, 1};
    EXPECT_TRUE(node.judge().empty());
}

TEST(PeerJudge, JobWithOneGpuNeedsNoPeer) {
    Node node;
    node.cut_off(2);
    node.scope.gpus = {2};
    EXPECT_TRUE(node.judge().empty());
}

TEST(PeerJudge, NoPairJoinedAtAllIsNotCertain) {
    Node node;
    for (unsigned minor = 0; minor < 8; ++minor) {
        node.cut_off(minor);
    }
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(PeerJudge, PeerAccessSwitchedOffByTheAdminIsUnknown) {
    Node node;
    node.set(0, 1, {kNvmlSuccess, 4});
    EXPECT_EQ(combine(node.judge()), Verdict::kUnknown);
}

TEST(PeerJudge, ErrorsAreUnknownAndAbsentFunctionsNothing) {
    Node failed;
    failed.set(0, 1, {kNvmlUnknown, 0});
    EXPECT_EQ(combine(failed.judge()), Verdict::kUnknown);
    Node old;
    for (unsigned minor = 1; minor < 8; ++minor) {
        old.set(0, minor, {kNvmlFunctionNotFound, 0});
    }
    EXPECT_TRUE(old.judge().empty());
}

TEST(PeerJudge, WaitsUntilBothSidesWereRead) {
    Node node;
    node.cut_off(2);
    node.gpus[7 - 2].nvlink.peers.clear();
    EXPECT_TRUE(node.judge().empty());
}

TEST(PeerJudge, CardsAndMigAreNotPromisedNvlink) {
    Node cards;
    Node mig;
    for (GpuReading& gpu : cards.gpus) {
        gpu.model = "NVIDIA H100 PCIe";
    }
    cards.cut_off(2);
    EXPECT_TRUE(cards.judge().empty());
    mig.cut_off(2);
    mig.gpus[7 - 2].mig_mode = {kNvmlSuccess, 1};
    EXPECT_TRUE(mig.judge().empty());
}

}  // namespace
}  // namespace yardmaster
