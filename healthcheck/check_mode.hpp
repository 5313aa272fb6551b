// Whether an active check runs.
#pragma once

#include <optional>
#include <string_view>

namespace yardmaster {

enum class CheckMode {
    kAuto,  ///< where it can; where it cannot, a note in the evidence says why
    kOn,    ///< always; where it cannot, that is an unknown finding
    kOff,
};

/// "auto", "on" or "off".
constexpr std::string_view to_string(CheckMode mode) {
    return mode == CheckMode::kAuto ? "auto" : mode == CheckMode::kOn ? "on" : "off";
}
/// None for any other word.
constexpr std::optional<CheckMode> parse_check_mode(std::string_view word) {
    for (const CheckMode mode : {CheckMode::kAuto, CheckMode::kOn, CheckMode::kOff}) {
        if (word == to_string(mode)) {
            return mode;
        }
    }
    return std::nullopt;
}

}  // namespace yardmaster
