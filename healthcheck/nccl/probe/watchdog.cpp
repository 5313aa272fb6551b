#include "healthcheck/nccl/probe/watchdog.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace yardmaster {
namespace {

// What the signal handler may touch.
char last_words[512];
std::size_t last_words_size = 0;
int last_fd = -1;

void end_process(int) {
    // Nothing can be done where this fails.
    [[maybe_unused]] const ssize_t written = write(last_fd, last_words, last_words_size);
    _exit(1);
}

void set_timer(std::chrono::milliseconds time) {
    itimerval timer{};
    timer.it_value.tv_sec = time.count() / 1000;
    timer.it_value.tv_usec = time.count() % 1000 * 1000;
    setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

void end_process_after(std::chrono::milliseconds time, int fd, const std::string& line) {
    set_timer(std::chrono::milliseconds(0));
    last_words_size = std::min(line.size(), sizeof last_words - 1);
    std::memcpy(last_words, line.data(), last_words_size);
    last_words[last_words_size++] = '\n';
    last_fd = fd;
    std::signal(SIGALRM, end_process);
    set_timer(std::max(time, std::chrono::milliseconds(1)));
}

}  // namespace yardmaster
