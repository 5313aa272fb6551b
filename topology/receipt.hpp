// The receipt: one line in a job's AdminComment that says how the job was placed and why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "topology/hints.hpp"
#include "topology/placer.hpp"

namespace yardmaster {

/// What is remembered of one placement. Written by the select plugin, read by `yardmaster explain`.
struct Receipt {
    /// Who chose the nodes.
    enum class Chooser {
        kYardmaster,  ///< the first-choice candidate set, or one close to it
        kStock,       ///< stock cons_tres chose freely; `note` says why
    };
    Chooser chooser = Chooser::kYardmaster;
    Hints hints;
    std::uint32_t nodes = 0;
    std::uint32_t gpus_per_node = 0;  ///< 0: a job without GPUs
    PlacementFacts facts;
    std::uint32_t rank = 0;  ///< candidates that were refused before the accepted one
    std::string weights;     ///< weights_mark of the weights in force; "": the defaults
    std::string note;        ///< what was given up and why; "" when nothing was
};

/// Slurm carries the receipt in every job message, so it stays short.
inline constexpr std::size_t kReceiptMaxBytes = 256;

/// The line: starts with "yardmaster:", then "key=value" words (weights= only where they are not
/// the defaults), the note last; printable ASCII, at most kReceiptMaxBytes (the note is cut, never
/// the facts).
std::string format_receipt(const Receipt& receipt);

/// Whether an AdminComment is a receipt of ours (an admin may have written anything there).
bool is_receipt(std::string_view admin_comment);

/// Reads format_receipt's line back. kNotFound when it is no receipt, kMalformed when it is a
/// damaged one.
Result<Receipt> parse_receipt(std::string_view line);

}  // namespace yardmaster
