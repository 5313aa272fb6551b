// A meeting of simulated nodes in one process: a seal and meters in memory, connections over TCP.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "healthcheck/crossnode/hub_socket.hpp"
#include "healthcheck/crossnode/meeting.hpp"

namespace yardmaster::testing {

using std::chrono::milliseconds;

inline std::string node_name(std::size_t index) {
    return "n" + std::to_string(index);
}

inline CrossPort cross_port(const std::string& node, unsigned rail) {
    return {node, {"mlx5_" + std::to_string(rail), 1}, rail, "leaf0"};
}

/// What all munged of a cluster know together.
class FakeMunge {
  public:
    std::string close(const std::string& text) {
        const std::lock_guard lock(mutex_);
        made_.push_back("sealed " + std::to_string(made_.size()) + " " + text);
        return made_.back();
    }
    bool made(const std::string& credential) {
        const std::lock_guard lock(mutex_);
        return std::find(made_.begin(), made_.end(), credential) != made_.end();
    }
    /// The first credential that holds `words`; "" when there is none.
    std::string find(const std::string& words) {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(made_.begin(), made_.end(), [&](const auto& credential) {
            return credential.find(words) != std::string::npos;
        });
        return found == made_.end() ? "" : *found;
    }

  private:
    std::mutex mutex_;
    std::vector<std::string> made_;
};

/// One node's: it opens no credential twice.
class FakeSeal final : public Seal {
  public:
    explicit FakeSeal(FakeMunge& munge) : munge_(munge) {}
    Result<std::string> close(const std::string& text) override { return munge_.close(text); }
    Result<std::string> open(const std::string& credential) override {
        if (!munge_.made(credential)) {
            return Status(ErrorCode::kUnavailable, "Invalid credential");
        }
        if (!opened_.insert(credential).second) {
            return Status(ErrorCode::kUnavailable, "Replayed credential");
        }
        return credential.substr(credential.find(' ', 7) + 1);
    }

  private:
    FakeMunge& munge_;
    std::set<std::string> opened_;
};

/// What is wrong with the fabric, by port_name, and with nodes' meters, by "node step".
struct FakeFabric {
    std::set<std::string> dead;
    std::set<std::string> no_gid;
    std::set<std::string> corrupting;  ///< receivers that see other data
    std::string dies;                  ///< "n1 measure"
    std::string hangs;
    milliseconds hang{0};
};

class FakeMeter final : public CrossMeter {
  public:
    FakeMeter(const FakeFabric& fabric, std::string node)
        : fabric_(fabric), node_(std::move(node)) {}

    std::vector<OpenedEnd> open(const std::vector<RoundMessage::Task>& tasks) override {
        begin("open");
        tasks_ = tasks;
        std::vector<OpenedEnd> ends;
        for (const auto& task : tasks) {
            OpenedEnd end{task.end, RdmaAddress{}, {}, RdmaOutcome::kMeasured, ""};
            end.reading.rate = "400 Gb/sec (4X NDR)";
            end.reading.firmware = "SIMULATED";
            if (fabric_.no_gid.contains(port_name(task.own))) {
                end.address.reset();
                end.outcome = RdmaOutcome::kNoGid;
                end.error = "has no GID";
            }
            ends.push_back(std::move(end));
        }
        return ends;
    }

    std::vector<ReadyMessage::Connected> connect(
        const std::vector<ConnectMessage::Peer>& peers) override {
        begin("connect");
        std::vector<ReadyMessage::Connected> ends;
        for (const auto& peer : peers) {
            ends.push_back({peer.end, RdmaOutcome::kMeasured, ""});
        }
        return ends;
    }

    std::vector<EndResult> measure(const std::vector<std::size_t>& edges,
                                   std::chrono::nanoseconds) override {
        begin("measure");
        std::vector<EndResult> results;
        for (const auto& task : tasks_) {
            if (std::find(edges.begin(), edges.end(), task.end.edge) != edges.end()) {
                results.push_back(result_of(task));
            }
        }
        return results;
    }

  private:
    void begin(const std::string& step) const {
        if (fabric_.dies == node_ + " " + step) {
            throw std::runtime_error("the node dies");
        }
        if (fabric_.hangs == node_ + " " + step) {
            std::this_thread::sleep_for(fabric_.hang);
        }
    }

    EndResult result_of(const RoundMessage::Task& task) const {
        EndResult result{task.end, RdmaOutcome::kMeasured, "", 0, "", 1 << 20, {}, {}};
        const bool sender = task.end.side == CrossSide::kFrom;
        if (fabric_.dead.contains(port_name(task.own)) ||
            fabric_.dead.contains(port_name(task.other))) {
            result.outcome = RdmaOutcome::kUnreachable;
            result.error = "after 0 good writes: transport retry counter exceeded";
            result.wc_status = 12;
        } else if (!sender && fabric_.corrupting.contains(port_name(task.own))) {
            result.outcome = RdmaOutcome::kBadData;
            result.error = "other data arrived than were sent";
        } else if (sender) {
            result.gbps = {390.1, 391.25};
            result.latency_us = 2.5;
        }
        return result;
    }

    const FakeFabric& fabric_;
    std::string node_;
    std::vector<RoundMessage::Task> tasks_;
};

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

}  // namespace yardmaster::testing
