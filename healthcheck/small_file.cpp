#include "healthcheck/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace yardmaster {
namespace {

constexpr std::size_t kLargest = 4096;

Status failure(const std::string& file) {
    const int code = errno;
    return {code == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
            file + ": " + std::strerror(code)};
}

std::string trimmed(const char* data, std::size_t size) {
    const std::string text(data, size);
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) {
        return "";
    }
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

Result<std::string> read_small_file(const std::string& file) {
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return failure(file);
    }
    char buffer[kLargest];
    const ssize_t size = read(fd, buffer, sizeof buffer);
    if (size < 0) {
        Status error = failure(file);
        close(fd);
        return error;
    }
    close(fd);
    return trimmed(buffer, static_cast<std::size_t>(size));
}

}  // namespace yardmaster
