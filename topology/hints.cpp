#include "topology/hints.hpp"

#include <cctype>
#include <vector>

#include "topology/hint_words.hpp"

namespace yardmaster {
namespace {

/// One word of a constraint and how it stands there.
struct Word {
    std::string_view text;  ///< trimmed, without its "*N"
    std::string_view raw;   ///< as written, for Slurm
    char before = '\0';     ///< separator before it: '&', '|', ',' or none
    std::size_t depth = 0;  ///< how many brackets it stands in
    char bracket = '\0';    ///< the innermost of these
    bool counted = false;   ///< has "*N"
};

Status refused(std::string_view word, std::string_view why) {
    return {ErrorCode::kInvalidArgument,
            "constraint \"" + std::string(word) + "\": " + std::string(why)};
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

/// Cuts a constraint into words by Slurm's grammar: '&', ',' and '|' join, [] and () group, "*N"
/// counts. At the top level a whole bracket is part of the word's raw text.
class WordCutter {
  public:
    explicit WordCutter(std::string_view text) : text_(text) {}

    /// All words, at every depth; words inside brackets follow each other in order.
    std::vector<Word> all();
    /// The raw pieces between top-level separators, brackets kept whole.
    std::vector<Word> top_level();

  private:
    void finish(std::size_t end, std::vector<Word>& words);
    void leave();

    std::string_view text_;
    std::vector<char> open_;
    std::size_t start_ = 0;
    char before_ = '\0';
};

bool is_separator(char c) {
    return c == '&' || c == '|' || c == ',';
}
bool is_opening(char c) {
    return c == '[' || c == '(';
}
bool is_closing(char c) {
    return c == ']' || c == ')';
}

void WordCutter::finish(std::size_t end, std::vector<Word>& words) {
    Word word;
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

std::vector<Word> WordCutter::all() {
    std::vector<Word> words;
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

std::vector<Word> WordCutter::top_level() {
    std::vector<Word> words;
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

/// Puts `added`, one hint, into `hints`.
Status merge(const Hints& added, std::string_view word, Hints& hints) {
    for (const SizedHint& sized : kSizedHints) {
        if (!(added.*sized.size)) {
            continue;
        }
        auto& size = hints.*sized.size;
        if (size && size != added.*sized.size) {
            return refused(word,
                           "contradicts " + std::string(sized.stem) + std::to_string(*size) +
                               " in the same constraint; keep one");
        }
        size = added.*sized.size;
    }
    for (const FlagHint& flag : kFlagHints) {
        hints.*flag.flag = hints.*flag.flag || added.*flag.flag;
    }
    return Status::ok();
}

/// Refuses near misses and hints that stand where a hint cannot; tells whether there is any hint.
Result<bool> check_words(const std::vector<Word>& words) {
    bool found = false;
    for (const Word& word : words) {
        const ClassifiedWord classified = classify_word(word.text);
        if (classified.kind == WordKind::kNearMiss) {
            return refused(word.text, "looks like a placement hint; " + classified.remedy);
        }
        if (classified.kind == WordKind::kFeature) {
            continue;
        }
        found = true;
        if (word.depth > 0) {
            return refused(word.text,
                           std::string("a placement hint cannot stand inside ") +
                               (word.bracket == '[' ? "[]" : "()") + "; join it with & outside");
        }
        if (word.counted) {
            return refused(word.text,
                           "a placement hint takes no count (*N); it holds for the "
                           "whole job");
        }
    }
    return found;
}

/// Refuses what cannot be combined with hints although it is right for Slurm alone.
Status check_company(const std::vector<Word>& all, const std::vector<Word>& top) {
    for (const Word& word : all) {
        if (word.counted) {
            return refused(trimmed(word.raw),
                           "a feature count (*N) cannot be combined with "
                           "placement hints: Slurm chooses such jobs in parts");
        }
    }
    for (const Word& word : top) {
        if (word.before == '|') {
            return refused(trimmed(word.raw),
                           "\"|\" beside a placement hint is ambiguous; put the "
                           "alternatives in parentheses: (a|b)&tp8");
        }
    }
    return Status::ok();
}

}  // namespace

std::string Hints::to_string() const {
    std::string words;
    const auto add = [&words](const std::string& word) {
        words += (words.empty() ? "" : "&") + word;
    };
    for (const SizedHint& sized : kSizedHints) {
        if (const auto& size = this->*sized.size) {
            add(std::string(sized.stem) + std::to_string(*size));
        }
    }
    for (const FlagHint& flag : kFlagHints) {
        if (this->*flag.flag) {
            add(std::string(flag.word));
        }
    }
    return words;
}

Result<SplitConstraint> split_constraint(std::string_view constraint) {
    const std::vector<Word> all = WordCutter(constraint).all();
    auto has_hints = check_words(all);
    if (!has_hints) {
        return has_hints.status();
    }
    SplitConstraint split;
    if (!*has_hints) {
        split.features = constraint;
        return split;
    }
    const std::vector<Word> top = WordCutter(constraint).top_level();
    if (Status status = check_company(all, top); !status) {
        return status;
    }
    for (const Word& word : top) {
        const ClassifiedWord classified = classify_word(word.text);
        if (classified.kind != WordKind::kHint) {
            if (word.text.empty()) {
                continue;
            }
            split.features += (split.features.empty() ? "" : std::string(1, word.before));
            split.features += word.raw;
        } else if (Status status = merge(classified.hint, word.text, split.hints); !status) {
            return status;
        }
    }
    return split;
}

Result<Hints> parse_hints(std::string_view words) {
    auto split = split_constraint(words);
    if (!split) {
        return split.status();
    }
    if (!split->features.empty()) {
        return refused(split->features,
                       "is no placement hint; known: tpN, cpN, epN, ppN, dpN, "
                       "rail, leaf");
    }
    return split->hints;
}

std::optional<std::string> find_hint_word(std::string_view text) {
    for (const Word& word : WordCutter(text).all()) {
        if (classify_word(word.text).kind == WordKind::kHint) {
            return std::string(word.text);
        }
    }
    return std::nullopt;
}

}  // namespace yardmaster
