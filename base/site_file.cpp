#include "base/site_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace yardmaster {
namespace {

/// An open file that is closed on every way out.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

  private:
    const int fd_;
};

Status system_error(const std::string& file) {
    const int code = errno;
    return {code == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
            file + ": " + std::strerror(code)};
}

Status too_long() {
    return {ErrorCode::kMalformed,
            "has more than " + std::to_string(kSiteFileMaxBytes) +
                " bytes, so it is another file; see docs/configuration.md for what belongs in it"};
}

/// All that `fd` has, but no more than tells that it is too long.
Result<std::string> read_all(int fd, const std::string& file) {
    std::string text(kSiteFileMaxBytes + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t got = read(fd, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return system_error(file);
        }
        if (got == 0) {
            break;
        }
        size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    return size > kSiteFileMaxBytes ? Result<std::string>(too_long().with_context(file)) : text;
}

}  // namespace

Result<JsonDocument> parse_site_document(std::string_view json) {
    return json.size() > kSiteFileMaxBytes ? Result<JsonDocument>(too_long())
                                           : JsonDocument::parse(json);
}

Result<std::string> read_site_file(const std::string& file) {
    // O_NONBLOCK: to open a pipe must not wait for its writer.
    const Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (opened.get() < 0) {
        return system_error(file);
    }
    struct stat facts {};
    if (fstat(opened.get(), &facts) != 0) {
        return system_error(file);
    }
    if (!S_ISREG(facts.st_mode)) {
        return Status(ErrorCode::kUnreadable, file + ": is no regular file; put one there");
    }
    return read_all(opened.get(), file);
}

}  // namespace yardmaster
