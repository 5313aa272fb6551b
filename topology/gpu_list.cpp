#include "topology/gpu_list.hpp"

#include <charconv>

namespace yardmaster {
namespace {

constexpr std::uint32_t kMaskBits = 64;

bool holds(GpuMask gpus, std::uint32_t index) {
    return index < kMaskBits && (gpus >> index & 1) != 0;
}

/// Takes an index off the front of `text`.
std::optional<std::uint32_t> take_index(std::string_view& text) {
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc() || index >= kMaskBits) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return index;
}

}  // namespace

std::string format_gpu_list(GpuMask gpus) {
    std::string text;
    for (std::uint32_t first = 0; first < kMaskBits; ++first) {
        if (!holds(gpus, first)) {
            continue;
        }
        std::uint32_t last = first;
        while (holds(gpus, last + 1)) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + std::to_string(first);
        text += last > first ? "-" + std::to_string(last) : "";
        first = last;
    }
    return text;
}

std::optional<GpuMask> parse_gpu_list(std::string_view text) {
    GpuMask gpus = 0;
    while (true) {
        const auto first = take_index(text);
        auto last = first;
        if (first && text.starts_with('-')) {
            text.remove_prefix(1);
            last = take_index(text);
        }
        if (!first || !last || *last < *first) {
            return std::nullopt;
        }
        for (std::uint32_t index = *first; index <= *last; ++index) {
            gpus |= GpuMask{1} << index;
        }
        if (text.empty()) {
            return gpus;
        }
        if (!text.starts_with(',')) {
            return std::nullopt;
        }
        text.remove_prefix(1);
    }
}

}  // namespace yardmaster
