// The fabric file beside slurm.conf, read when Slurm reads slurm.conf and at no other time.
#pragma once

#include <ctime>
#include <memory>
#include <mutex>
#include <string>

#include "topology/fabric.hpp"

namespace yardmaster {

/// Keeps the fabric in force. A file that cannot be used is reported once in slurmctld's log and
/// leaves no fabric in force; a later reconfigure that finds it mended takes it up again. Reading
/// only at reconfigure keeps a slow or hung file system out of scheduling. Thread-safe: Slurm calls
/// job_submit from many threads at once.
class FabricSource {
  public:
    /// Who tells the log what became of the file: one of the plugins is enough.
    enum class Tell { kLog, kNobody };
    explicit FabricSource(Tell tell) : tell_(tell) {}

    /// The fabric in force; null: there is none.
    std::shared_ptr<const Fabric> current();

  private:
    void refresh();  // requires mutex_
    bool file_changed(const std::string& file);
    void tell_log(const std::string& file) const;

    struct Stamp {
        std::time_t seconds = 0;
        long nanoseconds = 0;
        long long size = -1;
        unsigned long long inode = 0;
        bool operator==(const Stamp&) const = default;
    };

    const Tell tell_;
    std::mutex mutex_;
    bool ever_read_ = false;
    std::time_t generation_ = 0;  // of slurm.conf, when we last looked
    Stamp stamp_;
    std::shared_ptr<const Fabric> fabric_;
    std::string problem_;
};

/// Where the fabric file is looked for: fabric.json in the folder of the slurm.conf in force.
std::string fabric_file_path();

}  // namespace yardmaster
