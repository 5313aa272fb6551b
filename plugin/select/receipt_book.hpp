// Receipts between the decision and the start: RUN_NOW chooses, but the job may still not begin.
#pragma once

#include <string>
#include <unordered_map>

#include "plugin/abi/slurm_abi.h"

namespace yardmaster {

/// Keyed by the job's record: an array's task gets its own id only after the choice.
class ReceiptBook {
  public:
    void keep(const ym_job* job, std::string line);
    void forget(const ym_job* job) { lines_.erase(job); }
    /// Hands the line over and forgets it; "" when there is none.
    std::string take(const ym_job* job);

  private:
    std::unordered_map<const ym_job*, std::string> lines_;
};

}  // namespace yardmaster
