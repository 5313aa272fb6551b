// A file of ours beside slurm.conf, looked at when Slurm reads slurm.conf and at no other time.
#pragma once

#include <ctime>
#include <optional>
#include <string>

namespace yardmaster {

/// Says when the file is to be read. Looking only at start and at reconfigure keeps a slow or hung
/// file system out of scheduling. Not thread-safe.
class WatchedFile {
  public:
    explicit WatchedFile(std::string name) : name_(std::move(name)) {}

    /// The file's path, if Slurm has read its configuration since the last call and the file is not
    /// the one that was there then (or appeared, or is gone); at the first call always.
    std::optional<std::string> changed();
    /// Slurm is reading its configuration. Its stamp tells that too, but in seconds: a second
    /// `scontrol reconfigure` within one second would leave a mended file unread.
    void look_again() { generation_.reset(); }

  private:
    struct Stamp {
        std::time_t seconds = 0;
        long nanoseconds = 0;
        long long size = -1;
        unsigned long long inode = 0;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stamp_of(const std::string& path);

    const std::string name_;
    std::optional<std::time_t> generation_;  // of slurm.conf, when we last looked
    std::optional<Stamp> stamp_;             // none: never looked
};

}  // namespace yardmaster
