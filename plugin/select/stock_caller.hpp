// Calls stock cons_tres on chosen node sets, and undoes what a refusal leaves behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "plugin/abi/gpu_marks.h"
#include "plugin/abi/slurm_abi.h"
#include "plugin/select/node_sets.hpp"
#include "topology/index_set.hpp"

namespace yardmaster {

/// A job as it was before a call of stock, for undoing what a refusal leaves behind.
class JobMarks {
  public:
    explicit JobMarks(ym_job* job) : job_(job) { ym_job_save_marks(job, &marks_); }
    ~JobMarks() { ym_job_drop_marks(&marks_); }
    JobMarks(const JobMarks&) = delete;
    JobMarks& operator=(const JobMarks&) = delete;
    void restore() const { ym_job_restore_marks(job_, &marks_); }

  private:
    ym_job* job_;
    ym_job_marks marks_{};
};

/// One job_test and the calls of stock that answer it. The last call must be the one whose answer
/// Slurm gets: stock frees and rebuilds the job's resources at each.
class StockCaller {
  public:
    /// `offered`: the nodes in the test's bitmap. Both must outlive the caller.
    StockCaller(const ym_job_test& test, const NodeSet& offered);

    /// Asks stock about exactly `nodes` (and any smaller set of them it prefers). With `exact`, it
    /// must take them all. `keep`, unless empty, has the GPUs of each node that stock may see; the
    /// others are hidden during the call. Returns whether it accepted; if not, the job is as it
    /// was.
    bool accepts(const NodeSet& nodes,
                 bool with_preemptees,
                 bool exact,
                 const std::vector<GpuMask>& keep = {});
    /// Asks stock about everything that Slurm offered, as if we were not there.
    int ask_freely(bool with_preemptees);

    /// What the last call returned; before any call, the code for "no nodes free now".
    int code() const { return code_; }
    std::uint32_t calls() const { return calls_; }
    /// The nodes that the last accepted call kept, ascending.
    NodeSet kept() const;

  private:
    friend class NowOnly;
    int call(ym_job_test test, bool with_preemptees);

    const ym_job_test& test_;
    const NodeSet& offered_;
    JobMarks marks_;
    int code_;
    bool now_only_ = false;
    std::uint32_t calls_ = 0;
};

/// While it lives, stock sees of each of `nodes` only the GPUs in keep[i]. Needs the node write
/// lock.
class HiddenGpus {
  public:
    HiddenGpus(const NodeSet& nodes, const std::vector<GpuMask>& keep)
        : marks_(ym_gpu_marks_set(
              nodes.data(), keep.data(), static_cast<int>(std::min(nodes.size(), keep.size())))) {}
    ~HiddenGpus() { ym_gpu_marks_undo(marks_); }
    HiddenGpus(const HiddenGpus&) = delete;
    HiddenGpus& operator=(const HiddenGpus&) = delete;

  private:
    ym_gpu_marks* marks_;
};

/// While it lives, stock is asked about now alone, and plans no start in the future.
class NowOnly {
  public:
    explicit NowOnly(StockCaller& stock) : stock_(stock) { stock_.now_only_ = true; }
    ~NowOnly() { stock_.now_only_ = false; }
    NowOnly(const NowOnly&) = delete;
    NowOnly& operator=(const NowOnly&) = delete;

  private:
    StockCaller& stock_;
};

}  // namespace yardmaster
