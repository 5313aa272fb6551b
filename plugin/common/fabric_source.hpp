// The fabric file beside slurm.conf, read when Slurm reads slurm.conf and at no other time.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "plugin/common/watched_file.hpp"
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
    /// See WatchedFile.
    void look_again();

  private:
    void refresh();  // requires mutex_
    void tell_log(const std::string& file) const;

    const Tell tell_;
    std::mutex mutex_;
    WatchedFile file_{"fabric.json"};
    std::shared_ptr<const Fabric> fabric_;
    std::string problem_;
};

}  // namespace yardmaster
