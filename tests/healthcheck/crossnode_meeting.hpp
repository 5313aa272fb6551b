// A meeting of simulated nodes in one process: a seal and meters in memory, connections over TCP.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "healthcheck/crossnode/hub_socket.hpp"
#include "healthcheck/crossnode/meeting.hpp"
#include "tests/healthcheck/crossnode_fakes.hpp"

namespace yardmaster::testing {

inline std::string node_name(std::size_t index) {
    return "n" + std::to_string(index);
}

/// A port that nobody listens on, below those that the kernel gives to clients. Tests run at the
/// same time, each in its process.
inline std::uint16_t free_port() {
    static unsigned next = static_cast<unsigned>(getpid()) * 13;
    for (;;) {
        const auto port = static_cast<std::uint16_t>(12'000 + next++ % 20'000);
        if (listen_on(port)) {
            return port;
        }
    }
}

/// Nodes "n0", "n1", ... with rails "mlx5_0", ...
class Meeting {
  public:
    Meeting(std::size_t nodes, unsigned rails) {
        settings.id = {1234, 1};
        settings.port = free_port();
        settings.max_loss = 0.2;
        for (std::size_t i = 0; i < nodes; ++i) {
            settings.nodes.push_back(node_name(i));
            HelloMessage& hello = hellos[node_name(i)];
            hello.meeting = settings.id;
            hello.node = node_name(i);
            for (unsigned rail = 0; rail < rails; ++rail) {
                hello.ports.push_back(cross_port(hello.node, rail));
            }
        }
    }

    /// Has the hub and all nodes but the absent ones meet; `meanwhile` runs in this thread.
    void run(const std::function<void()>& meanwhile = [] {}) {
        const auto begin = Clock::now();
        settings.meet_by = begin + meet;
        settings.deadline = begin + stay;
        std::thread hub([&] {
            FakeSeal seal(munge);
            hub_status = run_hub(settings, seal);
            timespec computed{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &computed);
            hub_computed =
                std::chrono::seconds(computed.tv_sec) + std::chrono::nanoseconds(computed.tv_nsec);
        });
        std::vector<std::thread> threads;
        for (const auto& [node, hello] : hellos) {
            results.emplace(node, Status(ErrorCode::kInternal, "absent"));
            if (!absent.contains(node)) {
                threads.emplace_back([&, name = node] { join(name); });
            }
        }
        meanwhile();
        for (std::thread& thread : threads) {
            thread.join();
        }
        hub.join();
        took = Clock::now() - begin;
    }

    const OverMessage& over_of(const std::string& node) const { return results.at(node).value(); }
    CrossReading reading_of(const std::string& node) const {
        CrossReading reading;
        reading.asked = reading.ended = true;
        reading.max_loss = settings.max_loss;
        reading.peers = over_of(node).peers;
        reading.edges = over_of(node).edges;
        return reading;
    }

    MeetingSettings settings;
    std::map<std::string, HelloMessage> hellos;
    FakeFabric fabric;
    FakeMunge munge;
    std::set<std::string> absent;
    std::map<std::string, milliseconds> late;
    milliseconds meet{2000};
    milliseconds stay{6000};
    Status hub_status;
    std::map<std::string, Result<OverMessage>> results;
    Clock::duration took{};
    std::chrono::nanoseconds hub_computed{};  ///< the hub's thread, its seal included

  private:
    void join(const std::string& node) {
        const auto delay = late.find(node);
        std::this_thread::sleep_for(delay == late.end() ? milliseconds(0) : delay->second);
        FakeSeal seal(munge);
        FakeMeter meter(fabric, node);
        try {
            results.at(node) =
                run_member(settings, "localhost", hellos.at(node), seal, meter, [](const auto&) {});
        } catch (const std::runtime_error& death) {
            results.at(node) = Status(ErrorCode::kInternal, death.what());
        }
    }
};

inline std::size_t count_of(const OverMessage& over, RdmaOutcome outcome) {
    return static_cast<std::size_t>(
        std::count_if(over.edges.begin(), over.edges.end(), [&](const CrossEdge& edge) {
            return edge.measured.outcome == outcome;
        }));
}

/// All nodes that were there heard the same.
inline void expect_one_truth(const Meeting& meeting) {
    std::set<std::string> truths;
    for (const auto& [node, result] : meeting.results) {
        if (!meeting.absent.contains(node)) {
            ASSERT_TRUE(result) << node << ": " << result.status().message();
            truths.insert(to_text(*result));
        }
    }
    EXPECT_EQ(truths.size(), 1u);
}

}  // namespace yardmaster::testing
