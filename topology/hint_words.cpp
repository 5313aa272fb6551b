#include "topology/hint_words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace yardmaster {
namespace {

bool same_but_for_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

/// The number that `digits` writes, if it is one from 1 to kMaxGroupSize.
std::optional<std::uint32_t> group_size(std::string_view digits) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    const bool whole = error == std::errc() && end == digits.end();
    if (!whole || number < 1 || number > kMaxGroupSize) {
        return std::nullopt;
    }
    return number;
}

ClassifiedWord near_miss(std::string remedy) {
    return {WordKind::kNearMiss, {}, std::move(remedy)};
}

ClassifiedWord classify_sized(const SizedHint& sized, std::string_view word) {
    std::string_view digits = word.substr(sized.stem.size());
    if (!digits.empty() && std::string_view("=-_:.").find(digits.front()) != digits.npos) {
        digits.remove_prefix(1);
    }
    if (!std::all_of(
            digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); })) {
        return {};
    }
    const auto size = group_size(digits);
    const std::string stem(sized.stem);
    if (!size) {
        return near_miss("write " + stem + "N with N from 1 to " + std::to_string(kMaxGroupSize) +
                         ", e.g. " + stem + "8");
    }
    const std::string exact = stem + std::to_string(*size);
    if (word != exact) {
        return near_miss("write " + exact);
    }
    ClassifiedWord hint{WordKind::kHint, {}, ""};
    hint.hint.*sized.size = *size;
    return hint;
}

}  // namespace

ClassifiedWord classify_word(std::string_view word) {
    for (const FlagHint& flag : kFlagHints) {
        if (word == flag.word) {
            ClassifiedWord hint{WordKind::kHint, {}, ""};
            hint.hint.*flag.flag = true;
            return hint;
        }
        if (same_but_for_case(word, flag.word)) {
            return near_miss("write " + std::string(flag.word));
        }
    }
    for (const SizedHint& sized : kSizedHints) {
        if (same_but_for_case(word.substr(0, sized.stem.size()), sized.stem)) {
            return classify_sized(sized, word);
        }
    }
    return {};
}

}  // namespace yardmaster
