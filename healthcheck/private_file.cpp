#include "healthcheck/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace yardmaster {
namespace {

namespace fs = std::filesystem;

Status failed(const std::string& what) {
    const int code = errno;
    return {code == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
            what + ": " + std::strerror(code)};
}

bool write_all(int fd, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = write(fd, text.data() + done, text.size() - done);
        if (written <= 0) {
            return false;
        }
        done += static_cast<std::size_t>(written);
    }
    return fsync(fd) == 0;
}

/// Creates `file`, which must not be there: in a directory others could write to, a link planted
/// under its name must not be followed.
Status write_new_file(const std::string& file, const std::string& text, mode_t mode) {
    unlink(file.c_str());
    const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        return failed(file);
    }
    // Not left to open(): the umask would take from it.
    const bool good = fchmod(fd, mode) == 0 && write_all(fd, text);
    const Status status = good ? Status::ok() : failed(file);
    close(fd);
    if (!status) {
        unlink(file.c_str());
    }
    return status;
}

/// An unwritable place is kUnreadable, also when its folder is not there.
Status cannot_write(const Status& status) {
    return status ? status : Status(ErrorCode::kUnreadable, status.message());
}

Status check_ours(int fd, const std::string& file, std::size_t limit) {
    struct stat about {};
    if (fstat(fd, &about) != 0) {
        return failed(file);
    }
    if (!S_ISREG(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & 022) != 0) {
        return {ErrorCode::kMalformed,
                file +
                    ": must be a regular file of this process's user that nobody else can "
                    "write to; remove it"};
    }
    if (static_cast<std::size_t>(about.st_size) > limit) {
        return {ErrorCode::kMalformed,
                file + ": is " + std::to_string(about.st_size) + " bytes long, limit " +
                    std::to_string(limit) + "; remove it"};
    }
    return Status::ok();
}

Result<std::string> read_up_to(int fd, const std::string& file, std::size_t limit) {
    std::string text(limit + 1, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t size = read(fd, text.data() + done, text.size() - done);
        if (size < 0) {
            return failed(file);
        }
        if (size == 0) {
            break;
        }
        done += static_cast<std::size_t>(size);
    }
    if (done > limit) {
        return Status(ErrorCode::kMalformed, file + ": grew while it was read");
    }
    text.resize(done);
    return text;
}

}  // namespace

Status make_private_directory(const std::string& directory) {
    std::error_code error;
    fs::create_directories(fs::path(directory).parent_path(), error);
    if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
        return cannot_write(failed(directory));
    }
    return Status::ok();
}

Status write_private_file(const std::string& directory,
                          const std::string& name,
                          const std::string& text) {
    const Status made = make_private_directory(directory);
    return made ? replace_file(directory, name, text, 0600) : made;
}

Status replace_file(const std::string& directory,
                    const std::string& name,
                    const std::string& text,
                    mode_t mode) {
    const std::string file = directory + "/" + name;
    const std::string temporary = directory + "/." + name + "." + std::to_string(getpid()) + ".tmp";
    if (Status status = write_new_file(temporary, text, mode); !status) {
        return cannot_write(status);
    }
    if (rename(temporary.c_str(), file.c_str()) != 0) {
        const Status status = failed(file);
        unlink(temporary.c_str());
        return cannot_write(status);
    }
    return Status::ok();
}

Result<std::string> read_private_file(const std::string& file, std::size_t limit) {
    // Not blocking: a pipe in the file's place must not hold the reader.
    const int fd = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return failed(file);
    }
    const Status ours = check_ours(fd, file, limit);
    auto text = ours ? read_up_to(fd, file, limit) : Result<std::string>(ours);
    close(fd);
    return text;
}

}  // namespace yardmaster
