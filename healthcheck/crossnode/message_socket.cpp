#include "healthcheck/crossnode/message_socket.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

/// A hello with 64 ports is 8 KiB.
constexpr std::size_t kHelloLimit = 64 << 10;
/// munged's own limit for a request (MUNGE_MAXIMUM_REQ_LEN of MUNGE 0.5).
constexpr std::size_t kFrameLimit = 1 << 20;
/// As a credential, in base64, it is a third longer.
constexpr std::size_t kPieceBytes = 512 << 10;
/// What is said when it is over grows with the nodes: 1 KiB an edge.
constexpr std::size_t kMessageLimit = 64 << 20;

constexpr char kMore = '+';
constexpr char kLast = '.';

}  // namespace

MessageSocket::MessageSocket(int fd, Role role, Seal& seal)
    : frames_(fd, kHelloLimit), role_(role), seal_(&seal) {}

void MessageSocket::bind(const MeetingId& meeting, const std::string& node) {
    place_ = std::to_string(meeting.job) + "." + std::to_string(meeting.restarts) + " " + node;
    frames_.set_limit(kFrameLimit);
}

std::string MessageSocket::head(Role sender, std::size_t number) const {
    if (sender == Role::kMember && number == 0) {
        return "yardmaster hello ";
    }
    return "yardmaster " + place_ + (sender == Role::kHub ? " hub " : " member ") +
           std::to_string(number) + " ";
}

Status MessageSocket::send_text(const std::string& text) {
    Status status;
    for (std::size_t at = 0; status && at < text.size(); at += kPieceBytes) {
        const bool last = text.size() - at <= kPieceBytes;
        const auto credential = seal_->close(head(role_, sent_++) + (last ? kLast : kMore) + '\n' +
                                             text.substr(at, kPieceBytes));
        status = credential ? frames_.send(*credential) : credential.status();
    }
    return status;
}

Status MessageSocket::take(const std::string& text) {
    const std::string expected =
        head(role_ == Role::kHub ? Role::kMember : Role::kHub, received_++);
    const std::size_t size = expected.size() + 2;
    const char mark = text.size() >= size ? text[expected.size()] : '\0';
    if (!text.starts_with(expected) || (mark != kMore && mark != kLast) || text[size - 1] != '\n') {
        const std::string line = text.substr(0, std::min<std::size_t>(text.find('\n'), 100));
        return {ErrorCode::kMalformed,
                "a message out of its place: \"" + line + "\", expected was \"" + expected + "\""};
    }
    if (message_.size() + text.size() - size > kMessageLimit) {
        return {ErrorCode::kMalformed,
                "a message of more than " + std::to_string(kMessageLimit) + " bytes"};
    }
    message_.append(text, size);
    whole_ = mark == kLast;
    return Status::ok();
}

Result<std::optional<CrossMessage>> MessageSocket::receive() {
    while (!whole_) {
        const auto frame = frames_.receive();
        if (!frame) {
            return frame.status();
        }
        if (!*frame) {
            return std::optional<CrossMessage>();
        }
        const auto text = seal_->open(**frame);
        Status status = text ? take(*text) : text.status();
        if (!status) {
            return status;
        }
    }
    auto message = parse_cross_message(message_);
    message_.clear();
    whole_ = false;
    if (!message) {
        return message.status();
    }
    return std::optional<CrossMessage>(std::move(message).value());
}

}  // namespace yardmaster
