#include "prolog/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/json_value.hpp"
#include "healthcheck/private_file.hpp"

namespace yardmaster {
namespace {

Status cannot(const std::string& what) {
    return {ErrorCode::kUnreadable, what + ": " + std::strerror(errno)};
}

/// The journal, open and locked against other prologs of this node.
class LockedFile {
  public:
    /// Errors: kUnreadable.
    static Result<LockedFile> open(const std::string& file) {
        for (;;) {
            const int fd =
                ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
            if (fd < 0) {
                return cannot(file);
            }
            LockedFile locked(fd);
            if (flock(fd, LOCK_EX) != 0) {
                return cannot(file);
            }
            if (locked.is(file)) {  // else another prolog has rotated it while we waited
                return locked;
            }
        }
    }
    LockedFile(LockedFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    LockedFile& operator=(LockedFile&&) = delete;
    ~LockedFile() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }

    off_t size() const {
        struct stat about {};
        return fstat(fd_, &about) == 0 ? about.st_size : 0;
    }
    bool ends_a_line() const {
        char last = '\n';
        const off_t end = size();
        return end == 0 || (pread(fd_, &last, 1, end - 1) == 1 && last == '\n');
    }
    /// All of `text` or nothing of it.
    bool append(const std::string& text) const {
        const off_t end = size();
        const ssize_t written = write(fd_, text.data(), text.size());
        if (written == static_cast<ssize_t>(text.size())) {
            return true;
        }
        const int why = written < 0 ? errno : ENOSPC;
        if (written > 0 && ftruncate(fd_, end) != 0) {
            return false;
        }
        errno = why;
        return false;
    }

  private:
    explicit LockedFile(int fd) : fd_(fd) {}
    bool is(const std::string& file) const {
        struct stat named {};
        struct stat opened {};
        return stat(file.c_str(), &named) == 0 && fstat(fd_, &opened) == 0 &&
               named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
    }
    int fd_;
};

/// Renames a full journal and opens a new one.
Result<LockedFile> rotate(LockedFile full, const std::string& file) {
    const LockedFile held = std::move(full);  // until the new name holds
    if (rename(file.c_str(), (file + ".1").c_str()) != 0) {
        return cannot(file);
    }
    return LockedFile::open(file);
}

}  // namespace

Status append_journal(const JournalEntry& entry, const std::string& file, std::size_t limit) {
    const std::string line = to_json(entry).dump_exact() + "\n";
    if (Status made = make_private_directory(file.substr(0, file.rfind('/'))); !made) {
        return made;
    }
    auto journal = LockedFile::open(file);
    const bool full = journal && journal->size() > 0 &&
                      static_cast<std::size_t>(journal->size()) + line.size() > limit;
    auto target = full ? rotate(std::move(journal).value(), file) : std::move(journal);
    if (!target) {
        return target.status();
    }
    // A line that a crash cut short costs itself, not the next one.
    return target->append((target->ends_a_line() ? "" : "\n") + line) ? Status::ok() : cannot(file);
}

Result<Journal> read_journal(const std::string& file) {
    std::ifstream in(file);
    if (!in) {
        return Status(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
                      file + ": " + std::strerror(errno));
    }
    Journal journal;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        JournalEntry entry;
        const auto document = JsonDocument::parse(line);
        const Status status = document ? from_json(document->root(), entry) : document.status();
        if (status) {
            journal.entries.push_back(std::move(entry));
        } else {
            journal.faults.push_back(file + ":" + std::to_string(number) + ": " + status.message());
        }
    }
    if (in.bad()) {
        return Status(ErrorCode::kUnreadable, file + ": could not be read to its end");
    }
    return journal;
}

}  // namespace yardmaster
