// One node's part of the measurements: its ends of edges.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "healthcheck/crossnode/cross_message.hpp"
#include "healthcheck/rdma/measure.hpp"

namespace yardmaster {

/// Works through a round in the steps of the meeting. Ends of one round go with the next `open`.
class CrossMeter {
  public:
    virtual ~CrossMeter() = default;
    /// Makes this node's ends of a round, each on its own port.
    virtual std::vector<OpenedEnd> open(const std::vector<RoundMessage::Task>& tasks) = 0;
    /// Connects ends to their peers; receivers are ready for the data after it.
    virtual std::vector<ReadyMessage::Connected> connect(
        const std::vector<ConnectMessage::Peer>& peers) = 0;
    /// Writes from all senders at once, and waits for what the receivers get and verifies it, at
    /// most for `budget`. Edges that are not in `edges` are left alone.
    virtual std::vector<EndResult> measure(const std::vector<std::size_t>& edges,
                                           std::chrono::nanoseconds budget) = 0;
};

/// Real verbs. `settings.stream.deadline` and `budget` are not looked at; `on_step` hears what is
/// begun ("open mlx5_3"). Both references are borrowed.
std::unique_ptr<CrossMeter> make_verbs_meter(
    VerbsApi& verbs,
    const MeasureSettings& settings,
    const std::function<void(const std::string&)>& on_step);

}  // namespace yardmaster
