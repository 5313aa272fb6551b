// A syslog that hangs: its socket is there, its queue is full, and nobody reads.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace yardmaster::testing {

class StuckLog {
  public:
    /// Shell: runs $2 with $1, the socket, as /dev/log. What else the prolog needs of /dev stays.
    static constexpr const char* kScript =
        "mount --rbind /dev /mnt\n"
        "mount -t tmpfs tmpfs /dev\n"
        "touch /dev/null /dev/log; mkdir /dev/shm\n"
        "mount --bind /mnt/null /dev/null\n"
        "mount --bind /mnt/shm /dev/shm\n"
        "mount --bind \"$1\" /dev/log\n"
        "exec \"$2\"";

    explicit StuckLog(const std::string& path) : fd_(socket(AF_UNIX, SOCK_DGRAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        const auto* raw = reinterpret_cast<const sockaddr*>(&address);
        EXPECT_EQ(bind(fd_, raw, sizeof address), 0);
        const int sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
        EXPECT_EQ(connect(sender, raw, sizeof address), 0);
        while (send(sender, "x", 1, 0) == 1) {
        }
        EXPECT_EQ(errno, EAGAIN);
        close(sender);
    }
    StuckLog(const StuckLog&) = delete;
    ~StuckLog() { close(fd_); }

    /// What lies in its queue, one message a line; then there is room for more.
    std::string read_all() {
        std::string text;
        char bytes[8192];
        for (ssize_t size = 0; (size = recv(fd_, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) {
            text.append(bytes, static_cast<std::size_t>(size)).append("\n");
        }
        return text;
    }

  private:
    int fd_;
};

}  // namespace yardmaster::testing
