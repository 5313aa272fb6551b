// A member's side of a meeting.
#include <poll.h>

#include <thread>

#include "healthcheck/crossnode/hub_socket.hpp"
#include "healthcheck/crossnode/meeting.hpp"
#include "healthcheck/crossnode/member_work.hpp"
#include "healthcheck/crossnode/message_socket.hpp"

namespace yardmaster {
namespace {

/// Between attempts to reach a hub that is not there yet.
constexpr std::chrono::milliseconds kRetry{20};

/// The connection to the hub.
class HubLine {
  public:
    HubLine(const MeetingSettings& settings, const std::string& hub_address, Seal& seal)
        : settings_(settings), dialer_(hub_address, settings.port), seal_(seal) {}

    /// Comes in, and returns with the first message. Errors: as next.
    Result<CrossMessage> come(HelloMessage hello);
    /// What the hub says next. kTimeout when it says nothing until `deadline`,
    /// kUnreadable when it has gone, and as MessageSocket::receive.
    Result<CrossMessage> next(Clock::time_point deadline);
    /// Writes all of it. Errors: as next, and kUnavailable when it cannot be sealed.
    Status tell(const CrossMessage& message, Clock::time_point deadline);
    /// As run_member's callers see it: a hub that has gone does not answer.
    Status explain(const Status& status) const {
        return status.code() == ErrorCode::kUnreadable
                   ? Status(ErrorCode::kTimeout, status.message()).with_context(name())
                   : status;
    }

  private:
    Status greet(HelloMessage& hello);
    Status wait(short events, Clock::time_point deadline);
    /// The time to begin is the hub's, whose prolog may have begun later than ours.
    Clock::time_point first_word_by() const {
        return settings_.meet_by + (settings_.deadline - settings_.meet_by) / 2;
    }
    std::string name() const { return "the hub at " + dialer_.name(); }

    const MeetingSettings& settings_;
    HubDialer dialer_;
    Seal& seal_;
    std::optional<MessageSocket> socket_;
};

Status HubLine::wait(short events, Clock::time_point deadline) {
    pollfd waiting{socket_->fd(), events, 0};
    if (Clock::now() >= deadline) {
        return {ErrorCode::kTimeout, name() + " does not answer any more"};
    }
    poll(&waiting, 1, poll_ms(deadline));
    return Status::ok();
}

Result<CrossMessage> HubLine::next(Clock::time_point deadline) {
    for (;;) {
        auto message = socket_->receive();
        if (!message) {
            return message.status();
        }
        if (*message) {
            return std::move(**message);
        }
        if (Status status = wait(POLLIN, deadline); !status) {
            return status;
        }
    }
}

Status HubLine::tell(const CrossMessage& message, Clock::time_point deadline) {
    Status status = socket_->send(message);
    while (status && socket_->has_output()) {
        status = wait(POLLOUT, deadline);
        status = status ? socket_->flush() : status;
    }
    return status;
}

Status HubLine::greet(HelloMessage& hello) {
    auto fd = dialer_.dial(settings_.meet_by);
    if (!fd) {
        return {ErrorCode::kUnreadable, fd.status().message()};
    }
    const std::chrono::duration<double> left = settings_.deadline - Clock::now();
    hello.left_s = left.count();
    socket_.emplace(fd->release(), MessageSocket::Role::kMember, seal_);
    Status status = tell(hello, settings_.meet_by);  // sealed anew: none is opened twice
    socket_->bind(hello.meeting, hello.node);
    return status;
}

/// A hub that does not take this node in closes the connection; it may be the one of another
/// meeting, and ours still to come.
Result<CrossMessage> HubLine::come(HelloMessage hello) {
    for (;;) {
        Status status = greet(hello);
        if (status) {
            auto first = next(first_word_by());
            if (first) {
                return first;
            }
            status = first.status();
        }
        if (status.code() != ErrorCode::kUnreadable || Clock::now() + kRetry >= settings_.meet_by) {
            return status;
        }
        std::this_thread::sleep_for(kRetry);
    }
}

}  // namespace

Result<OverMessage> run_member(const MeetingSettings& settings,
                               const std::string& hub_address,
                               const HelloMessage& hello,
                               Seal& seal,
                               CrossMeter& meter,
                               const std::function<void(const std::string&)>& on_step) {
    HubLine hub(settings, hub_address, seal);
    MemberWork work(hello, meter, on_step);
    on_step("meet the job's other nodes at " + hub_address);
    Result<CrossMessage> message = hub.come(hello);
    while (message) {
        if (auto* over = std::get_if<OverMessage>(&message.value())) {
            return std::move(*over);
        }
        const auto answer = work.answer(*message);
        if (!answer) {
            return answer.status();
        }
        Status status = hub.tell(*answer, settings.deadline);
        message = status ? hub.next(settings.deadline) : Result<CrossMessage>(status);
    }
    return hub.explain(message.status());
}

}  // namespace yardmaster
