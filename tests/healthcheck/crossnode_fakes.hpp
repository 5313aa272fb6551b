// A seal and meters of nodes in memory.
#pragma once

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "healthcheck/crossnode/cross_meter.hpp"
#include "healthcheck/crossnode/seal.hpp"

namespace yardmaster::testing {

using std::chrono::milliseconds;

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

}  // namespace yardmaster::testing
