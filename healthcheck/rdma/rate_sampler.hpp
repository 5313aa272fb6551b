// From completions to Gb/s.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace yardmaster {

/// Cuts a stream of completions into windows. A window ends at the first completion after its
/// length, and its rate is its bytes over the time between the two completions at its ends, so it
/// is exact however slow the link is.
class RateSampler {
  public:
    RateSampler(std::chrono::nanoseconds window, std::size_t wanted)
        : window_(window), wanted_(wanted) {}

    /// One write of `bytes` completed at `now`. The first one only starts the clock.
    void add(std::chrono::nanoseconds now, std::size_t bytes);
    bool done() const { return gbps_.size() >= wanted_; }
    /// The rates so far, Gb/s. When not even one window came to its end, what the begun one has.
    std::vector<double> gbps() const;

  private:
    double rate() const;

    std::chrono::nanoseconds window_;
    std::size_t wanted_;
    std::optional<std::chrono::nanoseconds> begin_;
    std::chrono::nanoseconds last_{0};
    double bytes_ = 0;
    std::vector<double> gbps_;
};

}  // namespace yardmaster
