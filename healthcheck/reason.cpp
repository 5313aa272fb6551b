#include "healthcheck/reason.hpp"

#include <algorithm>
#include <charconv>

namespace yardmaster {
namespace {

constexpr std::string_view kPrefix = "ym ";
constexpr std::string_view kSimulated = " SIMULATED";

/// The last `size` characters of `name`, the first of them "~" when something was cut.
std::string keep_end(const std::string& name, std::size_t size) {
    if (name.size() <= size) {
        return name;
    }
    return size == 0 ? "" : "~" + name.substr(name.size() - size + 1);
}

std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

std::string shorten_word(std::string text) {
    if (text.starts_with("NVLink ")) {
        text.replace(0, 6, "NVL");
    }
    return text;
}

std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

std::string cause_of(const Finding& finding) {
    const std::size_t room = kReasonShown - kPrefix.size();
    std::string text = finding.short_text;
    if (finding.object.size() + 1 + text.size() > room) {
        text = shorten_word(text);
    }
    text = text.substr(0, room);
    const std::size_t left = room - text.size();
    const std::string object = keep_end(finding.object, left > 0 ? left - 1 : 0);
    return printable(object.empty() ? text : object + " " + text);
}

std::string format_reason(const DrainReason& reason) {
    std::string text = std::string(kPrefix) + reason.cause + " job " + std::to_string(reason.job) +
                       " ev " + reason.evidence_id;
    text += reason.simulated ? kSimulated : "";
    text += reason.detail.empty() ? "" : " " + reason.detail;
    return printable(text.substr(0, kReasonMaxBytes));
}

bool is_our_reason(std::string_view reason) {
    return reason.starts_with(kPrefix);
}

std::optional<DrainReason> parse_reason(std::string_view reason) {
    DrainReason parsed;
    if (!take_prefix(reason, kPrefix)) {
        return std::nullopt;
    }
    const auto job = reason.find(" job ");
    if (job == std::string_view::npos) {
        return std::nullopt;
    }
    parsed.cause = reason.substr(0, job);
    reason.remove_prefix(job + 5);
    const auto number = take_number(reason);
    if (!number || !take_prefix(reason, " ev ")) {
        return std::nullopt;
    }
    parsed.job = *number;
    const auto id_end = std::min(reason.find(' '), reason.size());
    parsed.evidence_id = reason.substr(0, id_end);
    reason.remove_prefix(id_end);
    parsed.simulated = take_prefix(reason, kSimulated);
    take_prefix(reason, " ");
    parsed.detail = reason;
    return parsed;
}

}  // namespace yardmaster
