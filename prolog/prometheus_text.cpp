#include <cstdio>

#include "prolog/metrics.hpp"

namespace yardmaster {
namespace {

constexpr Verdict kVerdicts[] = {Verdict::kHealthy, Verdict::kUnknown, Verdict::kDegraded};

std::string head(const char* name, const char* type, const char* help) {
    return std::string("# HELP ") + name + " " + help + "\n# TYPE " + name + " " + type + "\n";
}

/// Label values are words of ours; what the format wants escaped is escaped all the same.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        out += c == '\n' ? "\\n" : c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
    return out;
}

std::string sample(const char* name,
                   const char* label,
                   const std::string& value,
                   std::int64_t number) {
    return std::string(name) + "{" + label + "=\"" + escaped(value) + "\"} " +
           std::to_string(number) + "\n";
}

template <typename Map>
std::string samples(const char* name, const char* label, const Map& map) {
    std::string text;
    for (const auto& [value, number] : map) {
        text += sample(name, label, value, static_cast<std::int64_t>(number));
    }
    return text;
}

/// Every verdict from the first run on: a series that appears with its first event shows no rate.
template <typename Map>
Map with_all_verdicts(Map map) {
    for (const Verdict verdict : kVerdicts) {
        map.try_emplace(std::string(to_string(verdict)), 0);
    }
    return map;
}

std::string seconds(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

std::uint64_t all_checks(const HealthTotals& totals) {
    std::uint64_t count = 0;
    for (const auto& [verdict, number] : totals.checks) {
        count += number;
    }
    return count;
}

}  // namespace

std::string prometheus_text(const HealthTotals& totals) {
    return head("yardmaster_checks_total", "counter", "Checks of this node, by verdict.") +
           samples("yardmaster_checks_total", "verdict", with_all_verdicts(totals.checks)) +
           head("yardmaster_last_check_timestamp_seconds",
                "gauge",
                "Time of the last check with this verdict.") +
           samples("yardmaster_last_check_timestamp_seconds", "verdict", totals.last) +
           head("yardmaster_drains_total", "counter", "Drains of this node by Yardmaster.") +
           samples("yardmaster_drains_total", "sign", totals.drains) +
           head("yardmaster_degraded_not_drained_total",
                "counter",
                "Degraded verdicts that drained nothing, by what stood in the way.") +
           samples("yardmaster_degraded_not_drained_total", "outcome", totals.not_drained) +
           head("yardmaster_check_duration_seconds", "summary", "Time spent in checks.") +
           "yardmaster_check_duration_seconds_sum " + seconds(totals.seconds) + "\n" +
           "yardmaster_check_duration_seconds_count " + std::to_string(all_checks(totals)) + "\n" +
           head("yardmaster_simulated", "gauge", "1: the hardware is SIMULATED, a test.") +
           "yardmaster_simulated " + (totals.simulated ? "1\n" : "0\n");
}

}  // namespace yardmaster
