#include "healthcheck/nccl/nccl_start.hpp"

#include <algorithm>
#include <cstdio>

#include "healthcheck/json_fields.hpp"
#include "healthcheck/nccl/nccl_reading.hpp"

namespace yardmaster {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

/// Time that was too short is tried again with this much more: what is left differs a little from
/// run to run.
constexpr double kAfterTooShort = 1.25;

bool concerns(const NcclStart& start, const NcclReading& reading) {
    return start.model == reading.model && start.gpus == reading.uuids.size() &&
           start.set == reading.set && start.driver == reading.driver;
}

std::string seconds_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", seconds);
    return text;
}

milliseconds needed(const NcclStart& last) {
    const duration<double> start(last.seconds * (last.ready ? 1 : kAfterTooShort));
    return std::chrono::ceil<milliseconds>(start) + kBesideStart;
}

/// What the last attempt tells of the start: how long it took, or that its time was too short.
std::optional<NcclStart> start_of(const NcclReading& reading) {
    const NcclAttempt& attempt = reading.attempts.back();
    NcclStart start{
        reading.model, static_cast<unsigned>(reading.uuids.size()), reading.set, reading.driver};
    if (attempt.init_ms > 0) {
        start.seconds = (attempt.context_ms + attempt.init_ms) / 1000;
        start.ready = true;
        return start;
    }
    const bool timed_out =
        attempt.fault == NcclFault::kHung || (attempt.fault == NcclFault::kNone && !attempt.ended);
    start.seconds = duration<double>(reading.start_limit).count();
    return timed_out && start.seconds > 0 ? std::optional(start) : std::nullopt;
}

}  // namespace

bool counts(const NcclStart& start, double now_s) {
    const double age_s = now_s - start.uptime_s;
    return age_s >= 0 && age_s < static_cast<double>(kStartCounts.count());
}

std::optional<std::string> too_little_time(const NcclReading& reading, milliseconds left) {
    const auto last =
        std::find_if(reading.starts.begin(), reading.starts.end(), [&](const NcclStart& start) {
            return concerns(start, reading);
        });
    if (last == reading.starts.end() || left >= needed(*last)) {
        return std::nullopt;
    }
    return seconds_text(duration<double>(left).count()) +
           " were left for it, and its contexts and communicators " +
           (last->ready
                ? "took " + seconds_text(last->seconds) + " last time, without the measuring"
                : "were not ready after " + seconds_text(last->seconds) + " last time");
}

void learn_start(const NcclReading& reading, double now_s, std::vector<NcclStart>& starts) {
    if (reading.attempts.empty()) {
        return;
    }
    if (auto start = start_of(reading)) {
        start->uptime_s = now_s;
        std::erase_if(starts, [&](const NcclStart& other) {
            return concerns(other, reading) || !counts(other, now_s);
        });
        starts.push_back(std::move(*start));
    }
}

JsonValue to_json(const NcclStart& start) {
    return JsonValue::object()
        .set("model", start.model)
        .set("gpus", start.gpus)
        .set("set", start.set)
        .set("driver", start.driver)
        .set("seconds", start.seconds)
        .set("ready", start.ready)
        .set("uptime_s", start.uptime_s);
}

Status from_json(const JsonNode& node, NcclStart& start) {
    JsonFields fields(node);
    fields.string("model", start.model);
    fields.integer("gpus", start.gpus);
    fields.string("set", start.set);
    fields.string("driver", start.driver);
    fields.number("seconds", start.seconds);
    fields.boolean("ready", start.ready);
    fields.number("uptime_s", start.uptime_s);
    return fields.status();
}

}  // namespace yardmaster
