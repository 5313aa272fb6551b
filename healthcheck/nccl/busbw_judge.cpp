#include "healthcheck/nccl/busbw_judge.hpp"

#include <algorithm>

#include "healthcheck/nccl/busbw_table.hpp"

namespace yardmaster {
namespace {

/// The passes of one size.
struct Passes {
    std::size_t count = 0;
    double best = 0;  ///< the better one's best window
};

Passes passes_of(const NcclAttempt& attempt, std::uint64_t bytes) {
    Passes passes;
    for (const NcclBandwidth& bandwidth : attempt.sizes) {
        if (bandwidth.bytes == bytes) {
            ++passes.count;
            passes.best = std::max(passes.best, best_busbw(bandwidth));
        }
    }
    return passes;
}

std::optional<SlowSize> judge_by_runs(const NcclBaseline& baseline,
                                      const Passes& passes,
                                      const NcclReading& reading) {
    const double expected = expected_busbw(baseline).value_or(0);
    if (passes.best >= expected * (1 - reading.max_loss)) {
        return std::nullopt;
    }
    SlowSize slow{baseline.conditions.bytes, passes.best, expected, baseline.busbw.size()};
    if (slow.runs >= kNcclBaselineLeast) {
        slow.proof = reading.shared_ways ? SlowSize::Proof::kShared
                     : passes.count > 1  ? SlowSize::Proof::kRepeated
                                         : SlowSize::Proof::kOnce;
    }
    return slow;
}

std::optional<SlowSize> judge_by_table(const NcclReading& reading,
                                       const Passes& passes,
                                       std::uint64_t bytes) {
    const auto published =
        published_busbw(reading.model, static_cast<unsigned>(reading.uuids.size()), bytes);
    if (!published || passes.best >= *published * reading.min_share) {
        return std::nullopt;
    }
    return SlowSize{bytes, passes.best, *published, 0, SlowSize::Proof::kPublished};
}

std::optional<SlowSize> judge_size(const NcclReading& reading,
                                   const NcclAttempt& attempt,
                                   std::uint64_t bytes) {
    const Passes passes = passes_of(attempt, bytes);
    const NcclBaseline* baseline =
        find_baseline(reading.baselines, conditions_of(reading, attempt, bytes));
    const std::size_t runs = baseline == nullptr ? 0 : baseline->busbw.size();
    std::optional<SlowSize> slow;
    if (runs > 0) {
        slow = judge_by_runs(*baseline, passes, reading);
    }
    if (runs < kNcclBaselineLeast) {
        const auto below = judge_by_table(reading, passes, bytes);
        slow = below ? below : slow;
    }
    return slow;
}

}  // namespace

std::vector<SlowSize> slow_sizes(const NcclReading& reading, const NcclAttempt& attempt) {
    std::vector<SlowSize> slow;
    for (const NcclBandwidth& bandwidth : attempt.sizes) {
        if (bandwidth.pass != 1) {
            continue;
        }
        if (const auto size = judge_size(reading, attempt, bandwidth.bytes)) {
            slow.push_back(*size);
        }
    }
    return slow;
}

std::string size_text(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace yardmaster
