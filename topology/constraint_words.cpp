#include "topology/constraint_words.hpp"

#include <cctype>

namespace yardmaster {
namespace {

bool is_separator(char c) {
    return c == '&' || c == '|' || c == ',';
}
bool is_opening(char c) {
    return c == '[' || c == '(';
}
bool is_closing(char c) {
    return c == ']' || c == ')';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

void WordCutter::finish(std::size_t end, std::vector<ConstraintWord>& words) {
    ConstraintWord word;
    word.raw = text_.substr(start_, end - start_);
    const std::size_t star = word.raw.find('*');
    word.counted = star != std::string_view::npos;
    word.text = trimmed(word.raw.substr(0, star));
    word.before = before_;
    word.depth = open_.size();
    word.bracket = open_.empty() ? '\0' : open_.back();
    words.push_back(word);
}

void WordCutter::leave() {
    // An unmatched bracket is Slurm's to refuse.
    if (!open_.empty()) {
        open_.pop_back();
    }
}

std::vector<ConstraintWord> WordCutter::all() {
    std::vector<ConstraintWord> words;
    for (std::size_t i = 0; i < text_.size(); ++i) {
        const char c = text_[i];
        if (!is_separator(c) && !is_opening(c) && !is_closing(c)) {
            continue;
        }
        finish(i, words);
        start_ = i + 1;
        before_ = is_separator(c) ? c : '\0';
        if (is_opening(c)) {
            open_.push_back(c);
        } else if (is_closing(c)) {
            leave();
        }
    }
    finish(text_.size(), words);
    return words;
}

std::vector<ConstraintWord> WordCutter::top_level() {
    std::vector<ConstraintWord> words;
    for (std::size_t i = 0; i < text_.size(); ++i) {
        const char c = text_[i];
        if (is_opening(c)) {
            open_.push_back(c);
        } else if (is_closing(c)) {
            leave();
        } else if (is_separator(c) && open_.empty()) {
            finish(i, words);
            start_ = i + 1;
            before_ = c;
        }
    }
    open_.clear();
    finish(text_.size(), words);
    return words;
}

}  // namespace yardmaster
