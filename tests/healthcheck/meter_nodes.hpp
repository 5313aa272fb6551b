// Simulated nodes that reach each other, a process each with the real meter over the fake
// libibverbs, which ends the process on a leak.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "healthcheck/crossnode/edge_outcome.hpp"
#include "healthcheck/crossnode/member_work.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::testing {

/// Answers messages, a line each, until an empty one comes.
class MeterProcess {
  public:
    MeterProcess(const HelloMessage& hello, const sim::SimNode& node, const MeasureSettings& how) {
        int to[2];
        int from[2];
        EXPECT_EQ(pipe(to) + pipe(from), 0);
        pid_ = fork();
        if (pid_ == 0) {
            close(to[1]);
            serve(hello, node, how, fdopen(to[0], "r"), fdopen(from[1], "w"));
            _exit(0);
        }
        close(to[0]);
        close(from[1]);
        in_ = fdopen(from[0], "r");
        out_ = fdopen(to[1], "w");
    }
    MeterProcess(const MeterProcess&) = delete;
    ~MeterProcess() {
        say(out_, "");  // closing is not enough: later processes have this end too
        std::fclose(out_);
        std::fclose(in_);
        int status = 0;
        EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
        EXPECT_EQ(status, 0) << "nothing is left behind";
    }

    void tell(const CrossMessage& message) { say(out_, to_text(message)); }
    template <typename Message>
    Message hear() {
        const auto message = parse_cross_message(line(in_));
        EXPECT_TRUE(message) << message.status().message();
        return std::get<Message>(*message);
    }

  private:
    static void say(FILE* out, const std::string& text) {
        std::fputs((text + "\n").c_str(), out);
        std::fflush(out);
    }
    static std::string line(FILE* in) {
        std::string text;
        for (int c = std::fgetc(in); c != EOF && c != '\n'; c = std::fgetc(in)) {
            text += static_cast<char>(c);
        }
        return text;
    }
    static void serve(const HelloMessage& hello,
                      const sim::SimNode& node,
                      const MeasureSettings& how,
                      FILE* in,
                      FILE* out) {
        const auto verbs = make_verbs(node.verbs_library());
        const std::function<void(const std::string&)> ignore = [](const std::string&) {};
        if (!verbs->init()) {
            _exit(1);
        }
        const auto meter = make_verbs_meter(*verbs, how, ignore);
        MemberWork work(hello, *meter, ignore);
        for (std::string text = line(in); !text.empty(); text = line(in)) {
            const auto question = parse_cross_message(text);
            const auto answer = question ? work.answer(*question) : question.status();
            if (!answer) {
                std::fprintf(stderr, "%s\n", answer.status().message().c_str());
                _exit(2);
            }
            say(out, to_text(*answer));
        }
    }

    pid_t pid_ = 0;
    FILE* in_ = nullptr;
    FILE* out_ = nullptr;
};

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
