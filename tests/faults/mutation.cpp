#include "tests/faults/mutation.hpp"

#include <algorithm>
#include <cstdlib>

namespace yardmaster::faults {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNumbers[] = {"0",
                                         "-1",
                                         "1e999",
                                         "-1e308",
                                         "NaN",
                                         "1e-400",
                                         "255",
                                         "4294967296",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "18446744073709551616",
                                         "0x7f",
                                         "1.5",
                                         "007"};
constexpr std::string_view kWords[] = {"{",
                                       "}",
                                       "[",
                                       "]",
                                       ",",
                                       ":",
                                       "\"",
                                       "null",
                                       "true",
                                       "{}",
                                       "[]",
                                       "[0]",
                                       " ",
                                       "\n",
                                       "\0"sv,
                                       "\xff",
                                       "\xc3",
                                       "\\u0000",
                                       "\\ud800",
                                       "%n",
                                       "[1-9",
                                       "1-]",
                                       "-",
                                       "..",
                                       "/",
                                       "job ",
                                       " ev ",
                                       "ym ",
                                       "[0-99999999]",
                                       "[[[[[[[[",
                                       "GPU",
                                       "Gb/sec",
                                       "(4X",
                                       "~",
                                       "'",
                                       "$(id)",
                                       "\xf4\x90\x80\x80"};

constexpr std::size_t kMostBytes = 1 << 16;

}  // namespace

void Mutator::replace_number(std::string& text) {
    constexpr std::string_view kDigits = "0123456789";
    const auto begin = text.find_first_of(kDigits, pick(text.size()));
    if (begin == std::string::npos) {
        return;
    }
    const auto end = std::min(text.find_first_not_of(kDigits, begin), text.size());
    text.replace(begin, end - begin, kNumbers[pick(std::size(kNumbers))]);
}

/// Takes a part and puts it elsewhere, or nowhere; with `keep` it stays where it was too.
void Mutator::move_part(std::string& text, bool keep) {
    const std::size_t begin = pick(text.size());
    const std::size_t size = 1 + pick(std::min<std::size_t>(text.size() - begin, 64));
    const std::string part = text.substr(begin, size);
    if (!keep) {
        text.erase(begin, size);
    }
    if (keep || pick(2) == 0) {
        text.insert(pick(text.size() + 1), part);
    }
}

void Mutator::change_once(std::string& text, const std::vector<std::string>& texts) {
    if (text.empty()) {
        text = texts[pick(texts.size())];
    }
    const std::string& other = texts[pick(texts.size())];
    const std::string_view word = kWords[pick(std::size(kWords))];
    switch (pick(8)) {
        case 0:
            text[pick(text.size())] ^= static_cast<char>(1u << pick(8));
            break;
        case 1:
            move_part(text, false);
            break;
        case 2:
            move_part(text, true);
            break;
        case 3:
        case 4:
            replace_number(text);
            break;
        case 5:
            text.insert(pick(text.size() + 1), word);
            break;
        case 6:
            text.resize(pick(text.size() + 1));
            break;
        default:
            text = text.substr(0, pick(text.size() + 1)) + other.substr(pick(other.size() + 1));
    }
}

int fuzz_factor() {
    const char* asked = std::getenv("YM_FUZZ");
    return asked == nullptr ? 1 : std::max(1, std::atoi(asked));
}

std::string Mutator::damage(const std::vector<std::string>& texts) {
    std::string text = texts[pick(texts.size())];
    for (std::size_t changes = 1 + pick(4); changes > 0; --changes) {
        change_once(text, texts);
    }
    text.resize(std::min(text.size(), kMostBytes));
    return text;
}

}  // namespace yardmaster::faults
