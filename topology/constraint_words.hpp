// Slurm's --constraint grammar, cut into words.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace yardmaster {

/// One word of a constraint and how it stands there.
struct ConstraintWord {
    std::string_view text;  ///< trimmed, without its "*N"
    std::string_view raw;   ///< as written, for Slurm
    char before = '\0';     ///< separator before it: '&', '|', ',' or none
    std::size_t depth = 0;  ///< how many brackets it stands in
    char bracket = '\0';    ///< the innermost of these
    bool counted = false;   ///< has "*N"
};

/// `text` without white space around it.
std::string_view trimmed(std::string_view text);

/// Cuts a constraint into words by Slurm's grammar: '&', ',' and '|' join, [] and () group, "*N"
/// counts. At the top level a whole bracket is part of the word's raw text.
class WordCutter {
  public:
    explicit WordCutter(std::string_view text) : text_(text) {}

    /// All words, at every depth; words inside brackets follow each other in order.
    std::vector<ConstraintWord> all();
    /// The raw pieces between top-level separators, brackets kept whole.
    std::vector<ConstraintWord> top_level();

  private:
    void finish(std::size_t end, std::vector<ConstraintWord>& words);
    void leave();

    std::string_view text_;
    std::vector<char> open_;
    std::size_t start_ = 0;
    char before_ = '\0';
};

}  // namespace yardmaster
