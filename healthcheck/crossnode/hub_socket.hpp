// Where the hub listens, and how members get there.
#pragma once

#include <netdb.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.hpp"
#include "healthcheck/budget/child.hpp"

namespace yardmaster {

/// Closes its descriptor.
class OwnedFd {
  public:
    explicit OwnedFd(int fd = -1) : fd_(fd) {}
    OwnedFd(OwnedFd&& other) noexcept : fd_(other.release()) {}
    OwnedFd& operator=(OwnedFd&& other) noexcept;
    ~OwnedFd();
    int get() const { return fd_; }
    int release();

  private:
    int fd_;
};

/// Listens on `port` on all of this host's addresses, of IPv6 and IPv4 where the kernel has both;
/// non-blocking. kUnavailable when the port is taken.
Result<OwnedFd> listen_on(std::uint16_t port);

/// Connects to the hub, as often as is needed.
class HubDialer {
  public:
    HubDialer(std::string address, std::uint16_t port)
        : address_(std::move(address)), port_(port) {}

    /// Tries each of the address's addresses once, none longer than half a second nor past
    /// `deadline`. kUnavailable with the last one's reason.
    Result<OwnedFd> dial(Clock::time_point deadline);
    /// "hgx0001 port 6831".
    std::string name() const { return address_ + " port " + std::to_string(port_); }

  private:
    Status resolve();

    struct FreeAddresses {
        void operator()(addrinfo* list) const { freeaddrinfo(list); }
    };
    std::string address_;
    std::uint16_t port_;
    std::unique_ptr<addrinfo, FreeAddresses> addresses_;
};

/// What poll(2) takes until `deadline`: at least 0, rounded up so that nobody polls in a circle.
int poll_ms(Clock::time_point deadline);

}  // namespace yardmaster
