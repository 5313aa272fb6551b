#include "topology/hints.hpp"

#include <vector>

#include "topology/constraint_words.hpp"
#include "topology/hint_words.hpp"

namespace yardmaster {
namespace {

Status refused(std::string_view word, std::string_view why) {
    return {ErrorCode::kInvalidArgument,
            "constraint \"" + std::string(word) + "\": " + std::string(why)};
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
Result<bool> check_words(const std::vector<ConstraintWord>& words) {
    bool found = false;
    for (const ConstraintWord& word : words) {
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
Status check_company(const std::vector<ConstraintWord>& all,
                     const std::vector<ConstraintWord>& top) {
    for (const ConstraintWord& word : all) {
        if (word.counted) {
            return refused(trimmed(word.raw),
                           "a feature count (*N) cannot be combined with "
                           "placement hints: Slurm chooses such jobs in parts");
        }
    }
    for (const ConstraintWord& word : top) {
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
    const std::vector<ConstraintWord> all = WordCutter(constraint).all();
    auto has_hints = check_words(all);
    if (!has_hints) {
        return has_hints.status();
    }
    SplitConstraint split;
    if (!*has_hints) {
        split.features = constraint;
        return split;
    }
    const std::vector<ConstraintWord> top = WordCutter(constraint).top_level();
    if (Status status = check_company(all, top); !status) {
        return status;
    }
    for (const ConstraintWord& word : top) {
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
    for (const ConstraintWord& word : WordCutter(text).all()) {
        if (classify_word(word.text).kind == WordKind::kHint) {
            return std::string(word.text);
        }
    }
    return std::nullopt;
}

}  // namespace yardmaster
