#include "healthcheck/crossnode/frame_socket.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace yardmaster {
namespace {

constexpr std::size_t kHeader = 4;

bool would_block() {
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

Status gone() {
    return {ErrorCode::kUnreadable, std::string("the connection broke: ") + std::strerror(errno)};
}

std::string header_of(std::size_t size) {
    std::string header;
    for (int shift = 24; shift >= 0; shift -= 8) {
        header += static_cast<char>(size >> shift & 0xff);
    }
    return header;
}

std::size_t size_in(const std::string& header) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < kHeader; ++i) {
        size = size << 8 | static_cast<unsigned char>(header[i]);
    }
    return size;
}

}  // namespace

FrameSocket::FrameSocket(int fd, std::size_t limit) : fd_(fd), limit_(limit) {
    fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
    const int on = 1;  // messages are small and waited for
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

FrameSocket::FrameSocket(FrameSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      limit_(other.limit_),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      sent_(other.sent_) {}

FrameSocket& FrameSocket::operator=(FrameSocket&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(limit_, other.limit_);
    std::swap(input_, other.input_);
    std::swap(output_, other.output_);
    std::swap(sent_, other.sent_);
    return *this;
}

FrameSocket::~FrameSocket() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

Status FrameSocket::send(std::string_view frame) {
    output_ += header_of(frame.size());
    output_ += frame;
    return flush();
}

Status FrameSocket::flush() {
    while (has_output()) {
        const ssize_t written =
            ::send(fd_, output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL);
        if (written < 0 && errno != EINTR) {
            return would_block() ? Status::ok() : gone();
        }
        sent_ += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    output_.clear();
    sent_ = 0;
    return Status::ok();
}

Result<bool> FrameSocket::fill(std::size_t size) {
    constexpr std::size_t kPiece = 65'536;  // memory follows what came, not what is promised
    char piece[kPiece];
    while (input_.size() < size) {
        const ssize_t got = recv(fd_, piece, std::min(kPiece, size - input_.size()), 0);
        if (got == 0) {
            return Status(ErrorCode::kUnreadable, "the other side closed the connection");
        }
        if (got < 0 && errno != EINTR) {
            return would_block() ? Result<bool>(false) : Result<bool>(gone());
        }
        input_.append(piece, got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    return true;
}

Result<std::optional<std::string>> FrameSocket::receive() {
    auto whole = fill(kHeader);
    if (whole && *whole) {
        const std::size_t size = size_in(input_);
        if (size == 0 || size > limit_) {
            return Status(ErrorCode::kMalformed,
                          "a frame of " + std::to_string(size) + " bytes, must have 1 to " +
                              std::to_string(limit_));
        }
        whole = fill(kHeader + size);
    }
    if (!whole) {
        return whole.status();
    }
    if (!*whole) {
        return std::optional<std::string>();
    }
    std::string frame = input_.substr(kHeader);
    input_.clear();
    return std::optional<std::string>(std::move(frame));
}

}  // namespace yardmaster
