// A folder of sysfs whose files are read by their names in it: the way to it, which is long and
// leads over links, is walked once and not for each file.
#pragma once

#include <string>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

class OpenFolder {
  public:
    /// Errors: kNotFound, kUnreadable (with the system's reason).
    static Result<OpenFolder> open(const std::string& path);
    /// The folder `name` in this one. Errors: as above.
    Result<OpenFolder> folder(const std::string& name) const;

    OpenFolder(OpenFolder&& other) noexcept;
    OpenFolder& operator=(OpenFolder&&) = delete;
    ~OpenFolder();

    /// read_small_file() of `name`, which may lead through folders in this one.
    Result<std::string> read(const std::string& name) const;
    /// What is in it, sorted. Errors: kUnreadable.
    Result<std::vector<std::string>> names() const;

  private:
    OpenFolder(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
    int fd_;
    std::string path_;  ///< for messages
};

/// What is in the folder `path`, sorted; nothing where it cannot be read.
std::vector<std::string> names_in(const std::string& path);

}  // namespace yardmaster
