#include "plugin/common/gpu_request.hpp"

#include <charconv>

namespace yardmaster {
namespace {

std::string_view cut(std::string_view* text, std::string_view separators) {
    const std::size_t end = text->find_first_of(separators);
    const std::string_view head = text->substr(0, end);
    *text = end == std::string_view::npos ? std::string_view() : text->substr(end + 1);
    return head;
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

/// One entry: [gres(:|/)]gpu[(:|=)type][(:|=)count].
std::optional<std::uint32_t> gpus_of_entry(std::string_view entry) {
    std::string_view rest = entry;
    std::string_view word = cut(&rest, ":/=");
    if (word == "gres") {
        word = cut(&rest, ":/=");
    }
    if (word != "gpu") {
        return 0;
    }
    if (rest.empty()) {
        return 1;
    }
    const std::string_view type_or_count = cut(&rest, ":=");
    if (!rest.empty()) {
        return number(rest);
    }
    const auto count = number(type_or_count);
    return count ? count : std::optional<std::uint32_t>(1);  // a type alone means one of it
}

}  // namespace

std::optional<std::uint32_t> gpus_in(std::string_view tres) {
    std::uint32_t sum = 0;
    while (!tres.empty()) {
        const auto gpus = gpus_of_entry(cut(&tres, ","));
        if (!gpus) {
            return std::nullopt;
        }
        sum += *gpus;
    }
    return sum;
}

std::uint32_t gpu_entries_in(std::string_view tres) {
    std::uint32_t entries = 0;
    while (!tres.empty()) {
        entries += gpus_of_entry(cut(&tres, ",")).value_or(0) > 0 ? 1 : 0;
    }
    return entries;
}

}  // namespace yardmaster
