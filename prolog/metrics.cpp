#include "prolog/metrics.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/json_value.hpp"
#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/json_fields.hpp"
#include "healthcheck/private_file.hpp"

namespace yardmaster {
namespace {

constexpr const char* kSubject = "metrics";
constexpr mode_t kForAll = 0644;  // node_exporter is not root

template <typename Number>
JsonValue map_to_json(const std::map<std::string, Number>& map) {
    JsonValue json = JsonValue::object();
    for (const auto& [key, number] : map) {
        json.set(key.c_str(), number);
    }
    return json;
}

template <typename Number>
void read_map(JsonFields& fields, const char* key, std::map<std::string, Number>& map) {
    fields.read(key, [&](const JsonNode& node) {
        const auto members = node.members();
        if (!members) {
            return members.status();
        }
        for (const auto& [name, value] : *members) {
            const auto number = value.integer(0, INT64_MAX);
            if (!number) {
                return number.status();
            }
            map[name] = static_cast<Number>(*number);
        }
        return Status::ok();
    });
}

/// Holds <directory>/metrics.lock while it lives; -1 when it cannot be had.
class StateLock {
  public:
    explicit StateLock(const std::string& directory)
        : fd_(open((directory + "/metrics.lock").c_str(),
                   O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                   0600)) {
        if (fd_ >= 0 && flock(fd_, LOCK_EX) != 0) {
            close(fd_);
            fd_ = -1;
        }
    }
    StateLock(const StateLock&) = delete;
    ~StateLock() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    bool held() const { return fd_ >= 0; }

  private:
    int fd_;
};

bool drained(const Action& action) {
    return action.outcome == "drained";
}

}  // namespace

void count_run(const Evidence& evidence, HealthTotals& totals) {
    const Report& report = evidence.report;
    const std::string verdict(to_string(report.verdict));
    ++totals.checks[verdict];
    totals.last[verdict] = evidence.time;
    totals.seconds += std::chrono::duration<double>(report.took).count();
    totals.simulated = !report.readings.simulated.empty();
    const Finding* finding = primary(report.findings);
    if (report.verdict == Verdict::kDegraded && finding != nullptr) {
        // The sign and not the cause, which names the object: labels must stay few.
        ++(drained(evidence.action) ? totals.drains[finding->sign]
                                    : totals.not_drained[evidence.action.outcome]);
    }
}

JsonValue to_json(const HealthTotals& totals) {
    return JsonValue::object()
        .set("checks", map_to_json(totals.checks))
        .set("last", map_to_json(totals.last))
        .set("drains", map_to_json(totals.drains))
        .set("not_drained", map_to_json(totals.not_drained))
        .set("seconds", totals.seconds)
        .set("simulated", totals.simulated);
}

Status from_json(const JsonNode& node, HealthTotals& totals) {
    JsonFields fields(node);
    read_map(fields, "checks", totals.checks);
    read_map(fields, "last", totals.last);
    read_map(fields, "drains", totals.drains);
    read_map(fields, "not_drained", totals.not_drained);
    fields.number("seconds", totals.seconds);
    fields.boolean("simulated", totals.simulated);
    return fields.status();
}

Status publish_run(const Evidence& evidence,
                   const std::string& state_dir,
                   const std::string& file) {
    if (Status made = make_private_directory(state_dir); !made) {
        return made;
    }
    const StateLock lock(state_dir);
    if (!lock.held()) {
        return {ErrorCode::kUnreadable, state_dir + "/metrics.lock: " + std::strerror(errno)};
    }
    HealthTotals totals =
        read_state<HealthTotals>(state_dir, kSubject).state.value_or(HealthTotals());
    count_run(evidence, totals);
    if (Status kept = write_state(state_dir, kSubject, to_json(totals)); !kept) {
        return kept;
    }
    const auto slash = file.rfind('/');
    return replace_file(
        file.substr(0, slash), file.substr(slash + 1), prometheus_text(totals), kForAll);
}

}  // namespace yardmaster
