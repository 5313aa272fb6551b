// The weights in force: section placement of the yardmaster.json beside slurm.conf.
#pragma once

#include "plugin/common/watched_file.hpp"
#include "topology/cost_weights.hpp"

namespace yardmaster {

/// Follows the file as FabricSource follows its own: at start and at reconfigure. A file that
/// cannot be used changes nothing, so that a slip of the hand neither stops placement nor moves it:
/// the weights in force stay, at start the defaults. The log says so, with place and remedy, and
/// names weights that are not the defaults with the mark that stands in receipts. No file: the
/// defaults. Not thread-safe.
class WeightsSource {
  public:
    const CostWeights& current();
    /// See WatchedFile.
    void look_again() { file_.look_again(); }

  private:
    void take(const std::string& file, const CostWeights& weights);

    WatchedFile file_{"yardmaster.json"};
    CostWeights weights_;
};

}  // namespace yardmaster
