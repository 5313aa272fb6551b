// The network of the fake libibverbs: when writes arrive, in simulated time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/sim/rdma_scenario.hpp"

namespace yardmaster::sim {

using Nanoseconds = std::uint64_t;

/// A completion on its way to a completion queue.
struct FakeCompletion {
    Nanoseconds due = 0;
    int status = 0;         ///< enum ibv_wc_status
    bool received = false;  ///< a notice
};

/// One completion queue's completions, in order of time.
using FakeQueue = std::deque<FakeCompletion>;

/// Simulated time only moves when somebody polls and nothing is due: then to the next completion of
/// any queue. So a measurement takes no real time, and a busy machine changes no result. Each
/// process has its own time.
class FakeWire {
  public:
    explicit FakeWire(RdmaScenario scenario);

    Nanoseconds now() const { return now_; }
    const RdmaScenario& scenario() const { return scenario_; }
    SimNic nic(const std::string& device) const;

    void add_queue(FakeQueue* queue) { queues_.push_back(queue); }
    void remove_queue(FakeQueue* queue) { std::erase(queues_, queue); }
    /// Moves time on as said above.
    void wait();
    /// Moves time on by the real time that it takes: another process is to act, which needs that.
    void wait_for_others();

    /// When a write of `bytes` that is posted now is acknowledged. One end's link carries one write
    /// after the other; `gbps` is what both ends carry of the payload.
    Nanoseconds transfer(const std::string& from,
                         const std::string& to,
                         std::size_t bytes,
                         double gbps);

  private:
    struct Luck {
        Nanoseconds slice = 0;  ///< the piece of time that it holds for
        double share = 1;
    };
    double luck(const std::string& from, Nanoseconds at);

    RdmaScenario scenario_;
    unsigned seed_;
    Nanoseconds now_ = 1'000'000'000;
    std::vector<FakeQueue*> queues_;
    std::map<std::string, Luck> luck_;
    std::map<std::string, Nanoseconds> send_free_;
    std::map<std::string, Nanoseconds> receive_free_;
};

}  // namespace yardmaster::sim
