#include "healthcheck/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace yardmaster {
namespace {

constexpr std::size_t kLargest = 4096;

std::string trimmed(const char* data, std::size_t size) {
    const std::string_view text(data, size);
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) {
        return "";
    }
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

}  // namespace

Status file_error(const std::string& file) {
    const int code = errno;
    return {code == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
            file + ": " + std::strerror(code)};
}

Result<std::string> read_small_file(const std::string& file) {
    return read_small_file_at(AT_FDCWD, "", file);
}

Result<std::string> read_small_file_at(int folder,
                                       const std::string& path,
                                       const std::string& name) {
    const auto failure = [&] { return file_error(path.empty() ? name : path + "/" + name); };
    const int fd = openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return failure();
    }
    char buffer[kLargest];
    const ssize_t size = read(fd, buffer, sizeof buffer);
    if (size < 0) {
        Status error = failure();
        close(fd);
        return error;
    }
    close(fd);
    return trimmed(buffer, static_cast<std::size_t>(size));
}

}  // namespace yardmaster
