// Telling hint words from the features of a site, one word at a time.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "topology/hints.hpp"

namespace yardmaster {

inline constexpr std::uint32_t kMaxGroupSize = 65536;

/// The sized hints with their place in Hints, in canonical (rank) order.
struct SizedHint {
    std::string_view stem;
    std::optional<std::uint32_t> Hints::*size;
};
inline constexpr std::array<SizedHint, 5> kSizedHints = {{
    {"tp", &Hints::tp},
    {"cp", &Hints::cp},
    {"ep", &Hints::ep},
    {"pp", &Hints::pp},
    {"dp", &Hints::dp},
}};

/// The hints without a size.
struct FlagHint {
    std::string_view word;
    bool Hints::*flag;
};
inline constexpr std::array<FlagHint, 2> kFlagHints = {{
    {"rail", &Hints::rail},
    {"leaf", &Hints::leaf},
}};

enum class WordKind {
    kFeature,   ///< a feature of the site, or nothing we know: Slurm's to judge
    kHint,      ///< exactly a hint
    kNearMiss,  ///< clearly meant as a hint, but not written as one
};

struct ClassifiedWord {
    WordKind kind = WordKind::kFeature;
    Hints hint;          ///< kHint: the one hint that the word gives
    std::string remedy;  ///< kNearMiss: what to write instead, for the user's eyes
};

/// Classifies one word without separators, brackets or counts around it. Near misses are a stem
/// (tp, cp, ep, pp, dp, in any case) alone or followed by at most one of "=-_:." and a number, and
/// "rail" and "leaf" in another case. Anything longer ("tpm2", "leaflet", "dp-net") is a feature.
ClassifiedWord classify_word(std::string_view word);

}  // namespace yardmaster
