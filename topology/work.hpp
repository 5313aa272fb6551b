// Work that a call of the placer has done, counted in steps. A bound on steps, unlike one on time,
// gives the same answer on every machine and under every load.
#pragma once

#include <cstdint>

namespace yardmaster {

/// One step is one look at a node, a cell of the tree or an option: some nanoseconds.
class WorkMeter {
  public:
    void add(std::uint64_t steps) { steps_ += steps; }
    std::uint64_t steps() const { return steps_; }

  private:
    std::uint64_t steps_ = 0;
};

}  // namespace yardmaster
