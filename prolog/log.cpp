#include "prolog/log.hpp"

#include <syslog.h>

#include <cstdio>

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

}  // namespace

void log_line(LogLevel level, const std::string& text) {
    static const bool opened = (openlog(kName, LOG_PID, LOG_DAEMON), true);
    if (opened) {
        syslog(priority(level), "%s", text.c_str());
    }
    if (level != LogLevel::kInfo) {
        std::fprintf(stderr, "%s: %s\n", kName, text.c_str());
    }
}

}  // namespace yardmaster
