// Simulated nodes that reach each other, a process each, led through a round as the hub does it.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "healthcheck/crossnode/edge_outcome.hpp"
#include "tests/healthcheck/meter_process.hpp"
#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster::testing {

class MeterNodes : public ::testing::Test {
  protected:
    MeterNodes() {
        std::filesystem::create_directory(folder_ / "wire");
        how_.latency_writes = 20;
        for (unsigned i = 0; i < 3; ++i) {
            nodes_.emplace_back(folder_ / name(i));
            sim::NodeSettings settings = sim::default_settings();
            settings.node = name(i);
            settings.wire = folder_ / "wire";
            sim::set_gpus(settings, 2);
            const Status status = nodes_.back().create(settings);
            EXPECT_TRUE(status) << status.message();
        }
    }
    ~MeterNodes() override {
        processes_.clear();
        EXPECT_TRUE(std::filesystem::is_empty(folder_ / "wire")) << "nothing is left behind";
    }

    static std::string name(unsigned node) { return "n" + std::to_string(node); }
    static CrossPort port(unsigned node, unsigned rail) {
        return {name(node), {"mlx5_" + std::to_string(rail), 1}, rail, ""};
    }
    static CrossEdge edge(unsigned from, unsigned to, unsigned rail = 0) {
        return {port(from, rail), port(to, rail), CrossPurpose::kRing, std::nullopt, {}};
    }
    void change(unsigned node, const std::function<void(sim::RdmaScenario&)>& change) {
        const Status status = nodes_[node].change_rdma(change);
        ASSERT_TRUE(status) << status.message();
    }

    /// One round of all `edges`, as the hub leads it. Nodes are as at the first round.
    std::vector<RdmaPairReading> measure(
        const std::vector<CrossEdge>& edges,
        std::chrono::milliseconds budget = std::chrono::milliseconds(2000)) {
        start();
        std::vector<EdgeStory> stories(edges.size());
        open(edges, stories);
        connect(edges, stories);
        go(edges, stories, budget);
        std::vector<RdmaPairReading> readings;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            readings.push_back(conclude_edge(edges[i], stories[i]));
        }
        return readings;
    }

    ScratchFolder folder_;
    std::vector<sim::SimNode> nodes_;
    MeasureSettings how_;
    std::vector<MeasureSettings> own_how_;  ///< [node], where they differ

  private:
    static constexpr CrossSide kSides[] = {CrossSide::kFrom, CrossSide::kTo};
    static const CrossPort& at(const CrossEdge& edge, CrossSide side) {
        return side == CrossSide::kFrom ? edge.from : edge.to;
    }
    static CrossSide other(CrossSide side) {
        return side == CrossSide::kFrom ? CrossSide::kTo : CrossSide::kFrom;
    }

    void start() {
        for (unsigned i = static_cast<unsigned>(processes_.size()); i < nodes_.size(); ++i) {
            HelloMessage hello;
            hello.node = name(i);
            hello.ports = {port(i, 0), port(i, 1)};
            MeasureSettings how = i < own_how_.size() ? own_how_[i] : how_;
            how.sysfs_root = nodes_[i].sysfs_root();
            processes_.push_back(std::make_unique<MeterProcess>(hello, nodes_[i], how));
        }
    }
    /// Calls `use(edge's index, side)` for the ends that `node` has.
    template <typename Use>
    void each_end(const std::vector<CrossEdge>& edges, unsigned node, Use use) {
        for (std::size_t i = 0; i < edges.size(); ++i) {
            for (const CrossSide side : kSides) {
                if (at(edges[i], side).node == name(node)) {
                    use(i, side);
                }
            }
        }
    }
    void open(const std::vector<CrossEdge>& edges, std::vector<EdgeStory>& stories) {
        for (unsigned node = 0; node < nodes_.size(); ++node) {
            RoundMessage round;
            each_end(edges, node, [&](std::size_t i, CrossSide side) {
                round.tasks.push_back({{i, side}, at(edges[i], side), at(edges[i], other(side))});
            });
            processes_[node]->tell(round);
        }
        for (const auto& process : processes_) {
            for (OpenedEnd& end : process->hear<EndsMessage>().ends) {
                stories[end.end.edge].end(end.end.side).opened = end;
            }
        }
    }
    void connect(const std::vector<CrossEdge>& edges, std::vector<EdgeStory>& stories) {
        for (unsigned node = 0; node < nodes_.size(); ++node) {
            ConnectMessage message;
            each_end(edges, node, [&](std::size_t i, CrossSide side) {
                if (stories[i].open()) {
                    message.peers.push_back(
                        {{i, side}, *stories[i].end(other(side)).opened->address});
                }
            });
            processes_[node]->tell(message);
        }
        for (const auto& process : processes_) {
            for (ReadyMessage::Connected& end : process->hear<ReadyMessage>().ends) {
                stories[end.end.edge].end(end.end.side).connected = end;
            }
        }
    }
    void go(const std::vector<CrossEdge>& edges,
            std::vector<EdgeStory>& stories,
            std::chrono::duration<double> budget) {
        for (unsigned node = 0; node < nodes_.size(); ++node) {
            GoMessage message;
            message.budget_s = budget.count();
            each_end(edges, node, [&](std::size_t i, CrossSide) {
                stories[i].started = stories[i].ready();
                if (stories[i].started) {
                    message.edges.push_back(i);
                }
            });
            processes_[node]->tell(message);
        }
        for (const auto& process : processes_) {
            for (EndResult& end : process->hear<DoneMessage>().ends) {
                stories[end.end.edge].end(end.end.side).result = end;
            }
        }
    }

    std::vector<std::unique_ptr<MeterProcess>> processes_;
};

}  // namespace yardmaster::testing
