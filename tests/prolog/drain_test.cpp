#include "prolog/drain.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "healthcheck/reason.hpp"

namespace yardmaster {
namespace {

constexpr std::time_t kNow = 1700000000;

/// A cluster in memory. `before_look` runs before every nodes() call, for what others do meanwhile.
class FakeController : public Controller {
  public:
    explicit FakeController(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            const std::string name = "n" + std::to_string(i);
            all[name] = {name, false, "", 0};
        }
    }
    Result<NodeState> node(const std::string& name) override {
        if (!reachable) {
            return Status(ErrorCode::kUnavailable, "slurmctld is down");
        }
        return all.at(name);
    }
    Result<std::vector<NodeState>> nodes() override {
        ++looks;
        before_look(looks);
        std::vector<NodeState> list;
        for (const auto& [name, state] : all) {
            list.push_back(state);
        }
        return list;
    }
    Status drain(const std::string& name, const std::string& reason) override {
        ++drains;
        all[name] = {name, true, reason, kNow};
        return Status::ok();
    }
    Result<GivenBack> give_back(std::uint32_t, const std::string&) override {
        return GivenBack::kRequeued;
    }
    Status resume(const std::string& name) override {
        all[name] = {name, false, "", 0};
        return Status::ok();
    }
    void put_out(const std::string& name, const std::string& reason, std::time_t time = kNow) {
        all[name] = {name, true, reason, time};
    }

    std::map<std::string, NodeState> all;
    bool reachable = true;
    int looks = 0;
    int drains = 0;
    std::function<void(int)> before_look = [](int) {};
};

std::string reason(const std::string& cause, std::uint32_t job, const std::string& node) {
    return format_reason(
        {cause, job, node + "-" + std::to_string(job) + "-1700000000", false, "detail"});
}

DrainRequest request() {
    DrainRequest wanted;
    wanted.node = "n0";
    wanted.cause = "mlx5_3 down";
    wanted.job = 12;
    wanted.reason = reason(wanted.cause, 12, "n0");
    wanted.breaker = {4, 3, 2, std::chrono::seconds(600)};
    wanted.now = kNow;
    return wanted;
}

TEST(Drain, HealthyClusterIsDrainedOnceWithOurReason) {
    FakeController cluster(8);
    const DrainResult result = drain_node(cluster, request());
    EXPECT_EQ(result.outcome, "drained");
    EXPECT_TRUE(result.out_of_service);
    EXPECT_EQ(cluster.all["n0"].reason, request().reason);
    EXPECT_EQ(cluster.drains, 1);
}

TEST(Drain, SomebodyElsesDrainIsLeftAlone) {
    FakeController cluster(8);
    cluster.put_out("n0", "bad DIMM");
    const DrainResult result = drain_node(cluster, request());
    EXPECT_EQ(result.outcome, "left-alone");
    EXPECT_TRUE(result.out_of_service);
    EXPECT_EQ(cluster.all["n0"].reason, "bad DIMM");
    EXPECT_EQ(cluster.drains, 0);
}

TEST(Drain, OurEarlierDrainIsNotWrittenAgain) {
    FakeController cluster(8);
    cluster.put_out("n0", reason("GPU2 lost", 11, "n0"));
    EXPECT_EQ(drain_node(cluster, request()).outcome, "already-drained");
    EXPECT_EQ(cluster.drains, 0);
}

TEST(Drain, NoteOnANodeInServiceIsKept) {
    FakeController cluster(8);
    cluster.all["n0"].reason = "fan is loud";
    EXPECT_EQ(drain_node(cluster, request()).outcome, "drained");
    EXPECT_EQ(cluster.all["n0"].reason, request().reason + "; was: fan is loud");
}

TEST(Drain, UnreachableControllerLetsTheJobStart) {
    FakeController cluster(8);
    cluster.reachable = false;
    const DrainResult result = drain_node(cluster, request());
    EXPECT_EQ(result.outcome, "unreachable");
    EXPECT_FALSE(result.out_of_service);
}

TEST(Drain, AdminWhoWritesMeanwhileKeepsTheNode) {
    FakeController cluster(8);
    cluster.before_look = [&](int look) {
        if (look == 2) {
            cluster.put_out("n0", "admin was here");
        }
    };
    const DrainResult result = drain_node(cluster, request());
    EXPECT_EQ(result.outcome, "left-alone");
    EXPECT_EQ(cluster.all["n0"].reason, "admin was here");
}

TEST(Breaker, StopsAtTheLimitOfDrainsInTheWindow) {
    FakeController cluster(8);
    for (int i = 1; i <= 3; ++i) {
        cluster.put_out("n" + std::to_string(i),
                        reason("GPU" + std::to_string(i) + " lost", 20 + i, "n1"));
    }
    EXPECT_EQ(drain_node(cluster, request()).outcome, "drained");
    ASSERT_TRUE(cluster.resume("n0"));
    cluster.put_out("n4", reason("GPU4 lost", 24, "n4"));
    const DrainResult result = drain_node(cluster, request());
    EXPECT_EQ(result.outcome, "breaker");
    EXPECT_FALSE(result.out_of_service);
    EXPECT_FALSE(cluster.all["n0"].out_of_service);
}

TEST(Breaker, OldDrainsAndOthersDrainsDoNotCount) {
    FakeController cluster(12);
    for (int i = 1; i <= 5; ++i) {
        cluster.put_out("n" + std::to_string(i), reason("GPU1 lost", 20, "n1"), kNow - 601);
        cluster.put_out("n" + std::to_string(i + 5), "maintenance");
    }
    EXPECT_EQ(drain_node(cluster, request()).outcome, "drained");
}

TEST(Breaker, SameCauseOnManyNodesStopsEarlier) {
    FakeController cluster(8);
    for (int i = 1; i <= 3; ++i) {
        cluster.put_out("n" + std::to_string(i), reason("mlx5_3 down", 20 + i, "n1"));
    }
    const DrainResult result = drain_node(cluster, request());
    EXPECT_EQ(result.outcome, "breaker");
    EXPECT_NE(result.why.find("same cause"), std::string::npos);
}

TEST(Breaker, RestartedJobThatPoisonsNodesStops) {
    FakeController cluster(8);
    for (int i = 1; i <= 2; ++i) {
        cluster.put_out("n" + std::to_string(i),
                        reason("GPU" + std::to_string(i) + " lost", 12, "n1"),
                        kNow - 100000);
    }
    DrainRequest wanted = request();
    EXPECT_EQ(drain_node(cluster, wanted).outcome, "drained") << "first start: several bad nodes";
    ASSERT_TRUE(cluster.resume("n0"));
    wanted.restart_count = 2;
    EXPECT_EQ(drain_node(cluster, wanted).outcome, "breaker");
}

TEST(Breaker, ManyNodesAtOnceTakeTheirDrainBack) {
    FakeController cluster(40);
    cluster.before_look = [&](int look) {
        for (int i = 1; look == 2 && i < 40; ++i) {
            cluster.put_out("n" + std::to_string(i), reason("mlx5_3 down", 12, "n1"));
        }
    };
    const DrainResult result = drain_node(cluster, request());
    EXPECT_EQ(result.outcome, "breaker");
    EXPECT_FALSE(result.out_of_service);
    EXPECT_FALSE(cluster.all["n0"].out_of_service);
}

TEST(Breaker, LimitOfZeroNeverDrains) {
    FakeController cluster(8);
    DrainRequest wanted = request();
    wanted.breaker.max_drains = 0;
    EXPECT_EQ(drain_node(cluster, wanted).outcome, "breaker");
    EXPECT_EQ(cluster.drains, 0);
}

}  // namespace
}  // namespace yardmaster
