#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace yardmaster::cli {
namespace {

constexpr mode_t kMode = 0644;

Status failed(const std::string& file) {
    return {ErrorCode::kUnreadable, file + ": cannot be written: " + std::strerror(errno)};
}

mode_t mode_of(const std::string& file) {
    struct stat old {};
    return stat(file.c_str(), &old) == 0 ? old.st_mode & 07777 : kMode;
}

/// Writes everything to `fd`, down to the disk, and closes it.
bool fill(int fd, std::string_view text, mode_t mode) {
    bool good = fchmod(fd, mode) == 0;
    while (good && !text.empty()) {
        const ssize_t written = write(fd, text.data(), text.size());
        good = written > 0 || (written < 0 && errno == EINTR);
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    good = good && fsync(fd) == 0;
    return close(fd) == 0 && good;
}

}  // namespace

Status write_output(const std::string& file, std::string_view text, const Console& console) {
    if (file.empty()) {
        console.out << text;
        return Status::ok();
    }
    std::string fresh = file + ".XXXXXX";
    const int fd = mkostemp(fresh.data(), O_CLOEXEC);
    if (fd < 0) {
        return failed(file);
    }
    if (!fill(fd, text, mode_of(file)) || rename(fresh.c_str(), file.c_str()) != 0) {
        const Status error = failed(file);
        unlink(fresh.c_str());
        return error;
    }
    return Status::ok();
}

}  // namespace yardmaster::cli
