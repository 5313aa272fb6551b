// What a drain can be for, what was then seen, and what to do: the table of docs/drain-reasons.md.
#pragma once

#include <string_view>
#include <vector>

namespace yardmaster {

struct CauseText {
    std::string_view sign;     ///< Finding::sign
    std::string_view example;  ///< as cause_of writes it: "mlx5_3 100/400Gb"
    std::string_view seen;     ///< Markdown
    std::string_view remedy;   ///< Markdown
    /// Drains alone, being certain or measured twice; else only with a second, independent sign.
    bool certain = true;
};

/// One entry for every kind of degraded finding; tests/healthcheck holds it to the judges.
const std::vector<CauseText>& cause_table();

}  // namespace yardmaster
