// What goes into an all-reduce, and whether the right thing came out.
#pragma once

#include <cstdint>
#include <string>

#include "healthcheck/nccl/nccl_reading.hpp"

namespace yardmaster {

class NcclSession;
struct NcclFailure;

/// Words of float32 that have one value: 1 MiB.
inline constexpr std::uint64_t kSumBlockWords = std::uint64_t{1} << 18;

/// The bits of the float that GPU `rank` has in block `block`: (rank + 1) * (1 + block modulo 61).
/// Whole numbers small enough that float32 adds them without rounding, in any order.
std::uint32_t input_word(std::size_t rank, std::uint64_t block);
/// The bits of the right sum over `ranks` GPUs.
std::uint32_t sum_word(std::size_t ranks, std::uint64_t block);

/// Compares the outputs of an all-reduce of the first `bytes` that is done: on each GPU the words
/// around every block's border, and one block of its own as a whole. Fills in `attempt`'s sums and
/// sums_detail.
NcclFailure check_sums(NcclSession& session, std::uint64_t bytes, NcclAttempt& attempt);

}  // namespace yardmaster
