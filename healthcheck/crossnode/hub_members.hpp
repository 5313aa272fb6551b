// The members of a meeting as its hub has them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/crossnode/message_socket.hpp"

namespace yardmaster {

/// A node whose hello was accepted. `socket` is there for as long as the node takes part.
struct HubMember {
    HelloMessage hello;
    Clock::time_point leaves;  ///< by the hub's clock
    std::optional<MessageSocket> socket;
    std::string why_gone;  ///< "" while it is there
    bool there() const { return socket.has_value(); }
    /// Closes the connection; the first reason counts.
    void leave(const std::string& why);
};

/// The members talk in step: the hub tells each one something, and hears one answer of each. Who
/// breaks the order, lags or goes is a member no longer, and the others go on.
class HubMembers {
  public:
    /// By node. Addresses of members stay valid until the member is replaced.
    std::map<std::string, HubMember>& all() { return members_; }
    const std::map<std::string, HubMember>& all() const { return members_; }
    /// Why the node takes no part any more, "" while it does.
    std::string why_gone(const std::string& node) const;

    void tell(HubMember& member, const CrossMessage& message) {
        tell_text(member, to_text(message));
    }
    void tell_all(const CrossMessage& message);
    /// Waits until every member has sent a `Message`, `take` of which has its answer checked: an
    /// error makes it leave. Whoever has not answered by `deadline` leaves.
    template <typename Message>
    void hear(Clock::time_point deadline,
              const std::function<Status(const std::string& node, Message message)>& take) {
        hear_any(name_of(CrossMessage(Message{})),
                 deadline,
                 [&](const std::string& node, CrossMessage message) {
                     auto* body = std::get_if<Message>(&message);
                     return body != nullptr ? take(node, std::move(*body)) : out_of_turn(message);
                 });
    }
    /// Writes what is not written yet, at most until `deadline`.
    void flush(Clock::time_point deadline);

  private:
    static void tell_text(HubMember& member, const std::string& text);
    using Take = std::function<Status(const std::string& node, CrossMessage message)>;
    void hear_any(std::string_view awaited, Clock::time_point deadline, const Take& take);
    static Status out_of_turn(const CrossMessage& message);

    std::map<std::string, HubMember> members_;
};

}  // namespace yardmaster
