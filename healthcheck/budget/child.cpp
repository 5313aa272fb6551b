#include "healthcheck/budget/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace yardmaster {
namespace {

/// The pipe keeps descriptor 3, and 0 to 2 lead nowhere: a child that outlives its parent must hold
/// nothing that slurmd waits for.
int keep_only(int pipe_fd) {
    const int null_fd = open("/dev/null", O_RDWR);
    for (int fd = 0; null_fd >= 0 && fd <= 2; ++fd) {
        dup2(null_fd, fd);
    }
    if (pipe_fd != 3) {
        dup2(pipe_fd, 3);
    }
    if (close_range(4, ~0U, 0) != 0) {
        for (int fd = 4; fd < 1024; ++fd) {  // kernels before 5.9
            close(fd);
        }
    }
    return 3;
}

[[noreturn]] void run_child(const std::function<void(int)>& body, int pipe_fd) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGPIPE, SIG_IGN);
    umask(022);
    try {
        body(keep_only(pipe_fd));
    } catch (...) {
        _exit(1);
    }
    _exit(0);
}

Status out_of(const char* what) {
    return {ErrorCode::kInternal, std::string(what) + ": " + std::strerror(errno)};
}

}  // namespace

bool write_line(int fd, const std::string& line) {
    const std::string text = line + "\n";
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = write(fd, text.data() + done, text.size() - done);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    return true;
}

Result<Child> Child::start(const std::function<void(int)>& body) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return out_of("pipe");
    }
    const pid_t pid = fork();
    if (pid == 0) {
        run_child(body, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        Status error = out_of("fork");
        close(ends[0]);
        return error;
    }
    setpgid(pid, pid);  // also here: whoever of the two comes first
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return Child(pid, ends[0]);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), fd_(std::exchange(other.fd_, -1)) {}

Child::~Child() {
    close_pipe();
    if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == 0) {
        kill(-pid_, SIGKILL);
        for (int tries = 0; tries < 20 && waitpid(pid_, nullptr, WNOHANG) == 0; ++tries) {
            usleep(1000);  // a child outside the kernel dies at once; one inside is init's
        }
    }
}

void Child::close_pipe() {
    if (fd_ >= 0) {
        close(std::exchange(fd_, -1));
    }
}

}  // namespace yardmaster
