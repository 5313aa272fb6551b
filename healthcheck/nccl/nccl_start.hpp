// How long NCCL takes before it can measure, so that it is not begun in vain.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/json_value.hpp"

namespace yardmaster {

struct NcclReading;

/// The last start over such GPUs.
struct NcclStart {
    std::string model;  ///< the first four as in NcclConditions
    unsigned gpus = 0;
    std::string set;
    std::string driver;
    double seconds = 0;   ///< contexts and communicators took it; not ready: it was not enough
    bool ready = false;   ///< they came to be
    double uptime_s = 0;  ///< CLOCK_BOOTTIME when it was kept
};

/// A start counts for so long. A first start on a node can take 50 s and the next 2 s, so what once
/// was too slow is tried again after a while.
inline constexpr std::chrono::seconds kStartCounts{3600};
/// What a run needs beside its start: the probe's own begin and end, and windows of the smallest
/// size.
inline constexpr std::chrono::milliseconds kBesideStart{500};

/// Whether it still counts. `now_s` is CLOCK_BOOTTIME; one from the future is of another boot.
bool counts(const NcclStart& start, double now_s);

/// Why `left` is too little for the GPUs of `reading`, by its starts; none when it may do.
std::optional<std::string> too_little_time(const NcclReading& reading,
                                           std::chrono::milliseconds left);

/// Puts the start of the last attempt of `reading` into `starts`, in place of the one before it.
/// Failures that have nothing to do with time teach nothing.
void learn_start(const NcclReading& reading, double now_s, std::vector<NcclStart>& starts);

JsonValue to_json(const NcclStart& start);
Status from_json(const JsonNode& node, NcclStart& start);

}  // namespace yardmaster
