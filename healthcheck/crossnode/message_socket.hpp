// Messages over one connection of a meeting, sealed.
#pragma once

#include <optional>
#include <string>

#include "healthcheck/crossnode/cross_message.hpp"
#include "healthcheck/crossnode/frame_socket.hpp"
#include "healthcheck/crossnode/seal.hpp"

namespace yardmaster {

/// Every frame is a credential. What it holds begins with a line that says which meeting, which
/// node's connection, which direction and which number in it, so that no credential can be used in
/// another place than its own; of a hello, which says all that itself, only that it is one. munged
/// takes no more than 1 MiB at once: long messages go as several frames.
class MessageSocket {
  public:
    enum class Role { kHub, kMember };  ///< of this side

    /// Takes the connected socket over; borrows `seal`. Until `bind`, only short messages.
    MessageSocket(int fd, Role role, Seal& seal);

    int fd() const { return frames_.fd(); }
    bool has_output() const { return frames_.has_output(); }
    /// What both sides know once the hello is sent or accepted.
    void bind(const MeetingId& meeting, const std::string& node);

    /// Seals the message and writes what can be written; the rest goes with `flush`. kUnavailable
    /// when it cannot be sealed, kUnreadable when the other side has gone.
    Status send(const CrossMessage& message) { return send_text(to_text(message)); }
    /// The same for what to_text made: where many get the same message.
    Status send_text(const std::string& text);
    Status flush() { return frames_.flush(); }
    /// The next message; none when it is not whole yet. kUnreadable when the other side has gone,
    /// kUnavailable when the seal is not good, kMalformed otherwise. After an error nothing more is
    /// to be read.
    Result<std::optional<CrossMessage>> receive();

  private:
    /// The line before the frame `number` in the direction from `sender`.
    std::string head(Role sender, std::size_t number) const;
    Status take(const std::string& text);

    FrameSocket frames_;
    Role role_;
    Seal* seal_;
    std::string place_;  ///< "" before bind
    std::size_t sent_ = 0;
    std::size_t received_ = 0;
    std::string message_;  ///< what came of one whose last frame is still to come
    bool whole_ = false;
};

}  // namespace yardmaster
