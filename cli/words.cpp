#include "cli/words.hpp"

#include <pwd.h>

#include <array>
#include <cstdio>

#include "topology/hostlist.hpp"

namespace yardmaster::cli {

std::string count_of(std::uint64_t count, std::string_view noun, std::string_view plural) {
    std::string text = std::to_string(count) + " ";
    if (count == 1) {
        return text.append(noun);
    }
    return plural.empty() ? text.append(noun).append("s") : text.append(plural);
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
    std::string text;
    for (const auto& item : items) {
        if (!text.empty()) {
            text += separator;
        }
        text += item;
    }
    return text;
}

std::string number(double value) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.3f", value);
    std::string text(buffer.data());
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

std::string tier_name(std::uint32_t tier) {
    constexpr std::array<const char*, 3> kNames{"leaf group", "pod", "core"};
    return tier < kNames.size() ? kNames[tier] : "tier " + std::to_string(tier) + " unit";
}

std::string host_expression(const std::vector<std::string>& names) {
    return names.empty() ? "-" : compress_hostlist(names);
}

std::string time_text(std::time_t time) {
    std::tm local{};
    std::array<char, 32> buffer{};
    localtime_r(&time, &local);
    std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%S", &local);
    return buffer.data();
}

std::string user_name(std::uint32_t uid) {
    const passwd* entry = getpwuid(uid);
    return entry != nullptr ? entry->pw_name : std::to_string(uid);
}

}  // namespace yardmaster::cli
