#include "plugin/common/job_hints.hpp"

#include <string>

namespace yardmaster {
namespace {

// Hints never contain it, so the first one ends them; features may follow with more of them.
constexpr char kSeparator = '|';

std::string text_of(const char* value) {
    return value == nullptr ? "" : value;
}

void settle_announced(ym_job* job, const ym_job_info& info) {
    const std::string announced = info.next_hints;
    const std::size_t bar = announced.find(kSeparator);
    const bool accepted =
        bar != std::string::npos && announced.substr(bar + 1) == text_of(info.features);
    if (accepted) {
        const std::string hints = announced.substr(0, bar);
        ym_job_set_env(job, YM_HINTS_ENV, hints.empty() ? nullptr : hints.c_str());
    }
    ym_job_set_env(job, YM_NEXT_HINTS_ENV, nullptr);
}

}  // namespace

Result<Hints> settle_hints(ym_job* job, ym_job_info* info) {
    if (info->next_hints != nullptr) {
        settle_announced(job, *info);
        ym_job_read(job, info);
    }
    return parse_hints(text_of(info->hints));
}

void announce_hints(ym_job* job, const Hints& hints, const std::string& features) {
    const std::string value = hints.to_string() + kSeparator + features;
    ym_job_set_env(job, YM_NEXT_HINTS_ENV, value.c_str());
}

}  // namespace yardmaster
