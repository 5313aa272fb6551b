#include <algorithm>
#include <cstdint>

#include "tests/sim/fake_cuda.hpp"

namespace yardmaster::sim {

using cuda_abi::Pointer;

Pointer FakeMemory::allocate(std::size_t bytes) {
    constexpr Pointer kGap = Pointer{1} << 21;
    const Pointer memory = next_;
    next_ += (bytes / kGap + 2) * kGap;
    sizes_[memory] = bytes;
    runs_[memory] = 0;
    return memory;
}

bool FakeMemory::free(Pointer memory) {
    const auto found = sizes_.find(memory);
    if (found == sizes_.end()) {
        return false;
    }
    runs_.erase(runs_.lower_bound(memory), runs_.lower_bound(memory + found->second));
    sizes_.erase(found);
    return true;
}

void FakeMemory::fill(Pointer begin, std::uint32_t word, std::size_t words) {
    const Pointer end = begin + words * 4;
    const std::uint32_t after = word_at(end);
    runs_.erase(runs_.lower_bound(begin), runs_.lower_bound(end));
    runs_[begin] = word;
    runs_.emplace(end, after);
    ++fills_;
}

std::uint32_t FakeMemory::word_at(Pointer address) const {
    const auto next = runs_.upper_bound(address);
    return next == runs_.begin() ? 0 : std::prev(next)->second;
}

Pointer FakeMemory::run_end(Pointer address, Pointer end) const {
    const auto next = runs_.upper_bound(address);
    return next == runs_.end() ? end : std::min(next->first, end);
}

}  // namespace yardmaster::sim
