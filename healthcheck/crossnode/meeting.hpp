// The meeting itself: the hub on the job's first node, and a member on every one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/crossnode/cross_message.hpp"
#include "healthcheck/crossnode/cross_meter.hpp"
#include "healthcheck/crossnode/seal.hpp"

namespace yardmaster {

/// Who is to come, and by when.
struct MeetingSettings {
    MeetingId id;
    std::vector<std::string> nodes;  ///< all of the job's, in its order; the first one is the hub
    std::uint16_t port = 0;          ///< TCP, on the hub
    Clock::time_point meet_by;       ///< who is not there by then is absent
    Clock::time_point deadline;      ///< everything is over
    double max_loss = 0;             ///< CrossPolicy::max_loss: what asks for a third party
};

/// Serves one meeting; returns when it is over, at the deadline at the latest, but for a call of
/// `seal` that blocks. Connections that
/// bring no valid hello of this meeting are closed, their number and sizes bounded; a member that
/// fails, lags or goes leaves the others their measurements. kUnavailable when the port cannot be
/// listened on, kTimeout never: absent nodes are in what every member gets.
Status run_hub(const MeetingSettings& settings, Seal& seal);

/// Comes to the meeting at `hub_address` (a host name or an address) and takes part until it is
/// over. hello.left_s is counted here, from `settings.deadline`. Errors: kTimeout (nobody answers,
/// or no longer: with the address and what was awaited), kUnavailable (munge), kMalformed (a
/// message that cannot be).
Result<OverMessage> run_member(const MeetingSettings& settings,
                               const std::string& hub_address,
                               const HelloMessage& hello,
                               Seal& seal,
                               CrossMeter& meter,
                               const std::function<void(const std::string&)>& on_step);

}  // namespace yardmaster
