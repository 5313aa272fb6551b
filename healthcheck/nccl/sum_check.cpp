#include "healthcheck/nccl/sum_check.hpp"

#include <algorithm>
#include <bit>

#include "healthcheck/nccl/nccl_session.hpp"

namespace yardmaster {
namespace {

constexpr std::uint64_t kAroundBorder = 64;  // words
constexpr std::uint64_t kPeriod = 61;        // prime: no power of two maps a block onto its like

std::uint32_t word_of(std::uint64_t factor, std::uint64_t block) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(factor * (1 + block % kPeriod)));
}

std::string mismatch(std::size_t rank,
                     std::uint64_t place,
                     std::uint32_t seen,
                     std::uint32_t expected) {
    return "GPU " + std::to_string(rank) + " of the job has " +
           std::to_string(std::bit_cast<float>(seen)) + " at byte " + std::to_string(place * 4) +
           ", must be " + std::to_string(std::bit_cast<float>(expected));
}

/// Reads `count` words of a GPU's output from `first` on, and compares.
NcclFailure compare(NcclSession& session,
                    std::size_t rank,
                    std::uint64_t first,
                    std::uint64_t count,
                    NcclAttempt& attempt) {
    std::vector<std::uint32_t> words(count);
    NcclFailure failure = session.read_output(rank, first, words);
    for (std::uint64_t i = 0; !failure && i < count; ++i) {
        const std::uint32_t expected = sum_word(session.ranks(), (first + i) / kSumBlockWords);
        if (words[i] != expected) {
            attempt.sums = NcclSums::kWrong;
            attempt.sums_detail = mismatch(rank, first + i, words[i], expected);
            break;
        }
    }
    return failure;
}

NcclFailure check_gpu(NcclSession& session,
                      std::size_t rank,
                      std::uint64_t words,
                      NcclAttempt& attempt) {
    const std::uint64_t blocks = (words + kSumBlockWords - 1) / kSumBlockWords;
    const std::uint64_t own = rank % blocks * kSumBlockWords;
    NcclFailure failure =
        compare(session, rank, own, std::min(kSumBlockWords, words - own), attempt);
    for (std::uint64_t block = 0; !failure && attempt.sums == NcclSums::kRight && block <= blocks;
         ++block) {
        const std::uint64_t border = std::min(block * kSumBlockWords, words);
        const std::uint64_t first = border - std::min(border, kAroundBorder);
        const std::uint64_t end = std::min(border + kAroundBorder, words);
        failure = compare(session, rank, first, end - first, attempt);
    }
    return failure;
}

}  // namespace

std::uint32_t input_word(std::size_t rank, std::uint64_t block) {
    return word_of(rank + 1, block);
}

std::uint32_t sum_word(std::size_t ranks, std::uint64_t block) {
    return word_of(ranks * (ranks + 1) / 2, block);
}

NcclFailure check_sums(NcclSession& session, std::uint64_t bytes, NcclAttempt& attempt) {
    attempt.sums = NcclSums::kRight;
    NcclFailure failure;
    for (std::size_t rank = 0;
         !failure && attempt.sums == NcclSums::kRight && rank < session.ranks();
         ++rank) {
        failure = check_gpu(session, rank, bytes / 4, attempt);
    }
    if (failure) {
        attempt.sums = NcclSums::kNotChecked;
    }
    return failure;
}

}  // namespace yardmaster
