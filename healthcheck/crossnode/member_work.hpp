// What a member does when the hub asks for it.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "healthcheck/crossnode/cross_message.hpp"
#include "healthcheck/crossnode/cross_meter.hpp"

namespace yardmaster {

/// Holds the hub to what it may ask for: ends on ports that this node offered, and after that only
/// these ends.
class MemberWork {
  public:
    /// All are borrowed.
    MemberWork(const HelloMessage& hello,
               CrossMeter& meter,
               const std::function<void(const std::string&)>& on_step)
        : hello_(hello), meter_(meter), on_step_(on_step) {}

    /// Does what `message` asks for, and returns the answer. kMalformed for what cannot be asked.
    Result<CrossMessage> answer(const CrossMessage& message);

  private:
    Result<CrossMessage> open(const RoundMessage& round);
    Result<CrossMessage> connect(const ConnectMessage& message);
    Result<CrossMessage> measure(const GoMessage& message);
    bool has_end_of(std::size_t edge) const;

    const HelloMessage& hello_;
    CrossMeter& meter_;
    const std::function<void(const std::string&)>& on_step_;
    std::set<CrossEnd> ends_;  ///< of this round
};

}  // namespace yardmaster
