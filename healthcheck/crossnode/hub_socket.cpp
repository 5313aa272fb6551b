#include "healthcheck/crossnode/hub_socket.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace yardmaster {
namespace {

/// Of an address that does not answer; others of the same host may.
constexpr std::chrono::milliseconds kDialLimit{500};

Status failed(const std::string& what, int code) {
    return {ErrorCode::kUnavailable, what + ": " + std::strerror(code)};
}

OwnedFd tcp_socket(int family) {
    return OwnedFd(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// 0, or the errno of what failed.
int listen_at(int fd, const sockaddr* address, socklen_t size) {
    const int on = 1;  // connections of an earlier meeting may linger
    const bool good = setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                      bind(fd, address, size) == 0 && listen(fd, SOMAXCONN) == 0;
    return good ? 0 : errno;
}

int listen_on_both(int fd, std::uint16_t port) {
    const int off = 0;
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_any;
    return listen_at(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

int listen_on_ipv4(int fd, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    return listen_at(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

/// 0, or the errno of why `fd` could not be connected.
int connect_until(int fd, const addrinfo& to, Clock::time_point deadline) {
    if (connect(fd, to.ai_addr, to.ai_addrlen) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return errno;
    }
    pollfd waiting{fd, POLLOUT, 0};
    int ready = 0;
    do {
        ready = poll(&waiting, 1, poll_ms(deadline));
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0) {
        return ready == 0 ? ETIMEDOUT : errno;
    }
    int code = 0;
    socklen_t size = sizeof code;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
}

}  // namespace

OwnedFd& OwnedFd::operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

OwnedFd::~OwnedFd() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

int OwnedFd::release() {
    return std::exchange(fd_, -1);
}

Result<OwnedFd> listen_on(std::uint16_t port) {
    const std::string what = "cannot listen on TCP port " + std::to_string(port);
    OwnedFd both = tcp_socket(AF_INET6);
    int code = both.get() >= 0 ? listen_on_both(both.get(), port) : errno;
    if (code == 0) {
        return both;
    }
    if (code == EADDRINUSE) {
        return failed(what, code);
    }
    OwnedFd ipv4 = tcp_socket(AF_INET);  // no IPv6 here, or it is switched off
    code = ipv4.get() >= 0 ? listen_on_ipv4(ipv4.get(), port) : errno;
    return code == 0 ? Result<OwnedFd>(std::move(ipv4)) : Result<OwnedFd>(failed(what, code));
}

Status HubDialer::resolve() {
    addrinfo wish{};
    wish.ai_family = AF_UNSPEC;
    wish.ai_socktype = SOCK_STREAM;
    wish.ai_flags = AI_NUMERICSERV;
    addrinfo* list = nullptr;
    const int code = getaddrinfo(address_.c_str(), std::to_string(port_).c_str(), &wish, &list);
    if (code != 0) {
        return {ErrorCode::kUnavailable, gai_strerror(code)};
    }
    addresses_.reset(list);
    return Status::ok();
}

Result<OwnedFd> HubDialer::dial(Clock::time_point deadline) {
    if (addresses_ == nullptr) {
        if (Status status = resolve(); !status) {
            return status;
        }
    }
    int code = EADDRNOTAVAIL;
    for (const addrinfo* to = addresses_.get(); to != nullptr; to = to->ai_next) {
        OwnedFd fd = tcp_socket(to->ai_family);
        code = fd.get() >= 0
                   ? connect_until(fd.get(), *to, std::min(deadline, Clock::now() + kDialLimit))
                   : errno;
        if (code == 0) {
            return fd;
        }
    }
    return Status(ErrorCode::kUnavailable, std::strerror(code));
}

int poll_ms(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(
        std::clamp<std::int64_t>(left.count(), 0, std::numeric_limits<int>::max()));
}

}  // namespace yardmaster
