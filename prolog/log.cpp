#include "prolog/log.hpp"

#include <syslog.h>

#include <cstdio>

#include "healthcheck/budget/collect.hpp"

namespace yardmaster {
namespace {

constexpr const char* kName = "yardmaster-prolog";

int priority(LogLevel level) {
    switch (level) {
        case LogLevel::kInfo:
            return LOG_INFO;
        case LogLevel::kWarning:
            return LOG_WARNING;
        case LogLevel::kError:
            break;
    }
    return LOG_ERR;
}

/// The system's log may hang, on a full disk for one: it gets a moment, and the prolog goes on.
constexpr std::chrono::milliseconds kSyslogLimit{200};

/// False when syslog hung.
bool write_syslog(LogLevel level, const std::string& text) {
    const Task task{"log", [&](int) {
                        openlog(kName, LOG_NDELAY, LOG_DAEMON);
                        syslog(priority(level), "%s", text.c_str());
                    }};
    return run_task(task, Clock::now() + kSyslogLimit).status().code() != ErrorCode::kTimeout;
}

}  // namespace

void log_line(LogLevel level, const std::string& text) {
    // Once only: a run has some lines to say, and its deadline has room for one such moment.
    static bool hung = false;
    hung = hung || !write_syslog(level, text);
    if (level != LogLevel::kInfo) {
        std::fprintf(stderr, "%s: %s\n", kName, text.c_str());
    }
}

}  // namespace yardmaster
