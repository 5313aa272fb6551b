// The receipt: one line in a job's AdminComment that says how the job was placed and why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "topology/hints.hpp"
#include "topology/index_set.hpp"
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
    PlacementFacts facts;             ///< as describe_set gives them
    std::uint32_t rank = 0;           ///< candidates that were refused before the accepted one
    GpuMask gpus = 0;  ///< the GPU indices that were chosen for every node; 0: none were, or they
                       ///< differ from node to node
    /// Predicted communication of one step on the job's nodes in Slurm's order; 0: not known, or
    /// no link joins them.
    double seconds = 0;
    /// The same for the best set that was free then, in its best rank order; 0: not known.
    double best_seconds = 0;
    std::uint32_t soft_taken = 0;  ///< of the job's nodes, those that bore a SoftMark
    std::uint32_t soft_left = 0;   ///< free nodes with a SoftMark that were not taken
    std::string weights;           ///< weights_mark of the weights in force; "": the defaults
    std::string note;              ///< what was given up and why; "" when nothing was
};

/// Slurm carries the receipt in every job message, so it stays short.
inline constexpr std::size_t kReceiptMaxBytes = 256;

/// The line: starts with "yardmaster:", then "key=value" words, the note last; printable ASCII,
/// at most kReceiptMaxBytes (the note is cut, never the facts). What is not known has no word,
/// nor have default weights.
std::string format_receipt(const Receipt& receipt);

/// Whether an AdminComment is a receipt of ours (an admin may have written anything there).
bool is_receipt(std::string_view admin_comment);

/// Reads format_receipt's line back, also that of an earlier version, which has fewer words, or of
/// a later one, whose further words are passed over. kNotFound when it is no receipt, kMalformed
/// when it is a damaged one.
Result<Receipt> parse_receipt(std::string_view line);

}  // namespace yardmaster
