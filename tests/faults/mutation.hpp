// Damages texts as transmission, disks and people do; the same seed damages alike.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace yardmaster::faults {

/// $YM_FUZZ, which asks for so many times as much damage, and for other damage; 1 without it.
int fuzz_factor();

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    /// One of `texts` with one to four changes: bytes flipped, cut out, doubled or moved, numbers
    /// and words replaced by such as parsers stumble over, the end cut off, another text's end put
    /// on.
    std::string damage(const std::vector<std::string>& texts);

  private:
    std::size_t pick(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
    }
    void change_once(std::string& text, const std::vector<std::string>& texts);
    void replace_number(std::string& text);
    void move_part(std::string& text, bool keep);

    std::mt19937_64 random_;
};

}  // namespace yardmaster::faults
