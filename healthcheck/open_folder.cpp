#include "healthcheck/open_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

struct CloseListing {
    void operator()(DIR* listing) const { closedir(listing); }
};
using Listing = std::unique_ptr<DIR, CloseListing>;

/// A listing reads on where the last one of the same descriptor ended: so each has its own.
Listing listing_of(int folder) {
    const int fd = openat(folder, ".", kFlags);
    Listing listing(fd < 0 ? nullptr : fdopendir(fd));
    if (listing == nullptr && fd >= 0) {
        close(fd);
    }
    return listing;
}

}  // namespace

Result<OpenFolder> OpenFolder::open(const std::string& path) {
    const int fd = ::open(path.c_str(), kFlags);
    return fd < 0 ? Result<OpenFolder>(file_error(path)) : OpenFolder(fd, path);
}

Result<OpenFolder> OpenFolder::folder(const std::string& name) const {
    const std::string path = path_ + "/" + name;
    const int fd = openat(fd_, name.c_str(), kFlags);
    return fd < 0 ? Result<OpenFolder>(file_error(path)) : OpenFolder(fd, path);
}

OpenFolder::OpenFolder(OpenFolder&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

OpenFolder::~OpenFolder() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

Result<std::string> OpenFolder::read(const std::string& name) const {
    return read_small_file_at(fd_, path_, name);
}

Result<std::vector<std::string>> OpenFolder::names() const {
    const Listing listing = listing_of(fd_);
    if (listing == nullptr) {
        return file_error(path_);
    }
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = readdir(listing.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            names.emplace_back(name);
        }
    }
    if (errno != 0) {
        return file_error(path_);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> names_in(const std::string& path) {
    const auto folder = OpenFolder::open(path);
    const auto names = folder ? folder->names() : folder.status();
    return names ? *names : std::vector<std::string>();
}

}  // namespace yardmaster
