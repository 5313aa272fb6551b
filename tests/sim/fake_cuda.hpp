// What the fake CUDA driver and the fake NCCL share: they are one library under two names.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "healthcheck/nccl/cuda_abi.hpp"
#include "healthcheck/nccl/nccl_abi.hpp"
#include "tests/sim/nccl_scenario.hpp"
#include "tests/sim/scenario.hpp"

#define YM_EXPORT extern "C" __attribute__((visibility("default")))

namespace yardmaster::sim {

constexpr cuda_abi::Return kInvalidValue = 1;  // CUDA_ERROR_INVALID_VALUE

/// GPU memory as runs of one word: a simulated GiB costs a few KiB.
class FakeMemory {
  public:
    cuda_abi::Pointer allocate(std::size_t bytes);
    bool free(cuda_abi::Pointer memory);
    /// `words` times `word` from address `begin` on.
    void fill(cuda_abi::Pointer begin, std::uint32_t word, std::size_t words);
    std::uint32_t word_at(cuda_abi::Pointer address) const;
    /// The first address after `address` at which another run begins, at most `end`.
    cuda_abi::Pointer run_end(cuda_abi::Pointer address, cuda_abi::Pointer end) const;
    std::size_t blocks() const { return sizes_.size(); }
    std::size_t fills() const { return fills_; }  ///< calls of `fill` so far

  private:
    std::map<cuda_abi::Pointer, std::size_t> sizes_;   ///< bytes of what is allocated
    std::map<cuda_abi::Pointer, std::uint32_t> runs_;  ///< [begin] word up to the next run
    cuda_abi::Pointer next_ = cuda_abi::Pointer{1} << 40;
    std::size_t fills_ = 0;
};

struct FakeStream {
    int device = 0;
    double time = 0;  ///< s, simulated, at which its work is done
};

struct FakeEvent {
    double time = 0;
};

/// All of one process. What is not freed at the end is written to DIR/nccl/left.json.
struct FakeCuda {
    ~FakeCuda();
    NcclScenario scenario;
    std::vector<SimGpu> gpus;  ///< [ordinal] those that CUDA_VISIBLE_DEVICES names
    FakeMemory memory;
    std::vector<unsigned> contexts;  ///< [ordinal] how often its primary context is held
    int current = -1;                ///< ordinal whose context is current
    std::set<FakeStream*> streams;
    std::set<FakeEvent*> events;
    std::set<void*> comms;
    std::mt19937 random;
    double factor = 1;  ///< noise of the window that is under way
};

FakeCuda& fake_cuda();
/// The folder that the library was loaded from.
std::string fake_cuda_folder();

}  // namespace yardmaster::sim
