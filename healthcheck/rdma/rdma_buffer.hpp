// Memory that transfers are made from and to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/status.hpp"

namespace yardmaster {

/// A piece of host or GPU memory, given back at its end.
class RdmaBuffer {
  public:
    virtual ~RdmaBuffer() = default;
    virtual void* address() = 0;
    virtual std::size_t bytes() const = 0;
    /// A dma-buf of the memory (borrowed), to register it by; -1: by its address.
    virtual int dmabuf() const { return -1; }
    /// Fills all of it with the pattern of `seed`.
    virtual Status fill(std::uint64_t seed) = 0;
    /// Whether all of it holds the pattern of `seed`.
    virtual Result<bool> holds(std::uint64_t seed) = 0;
};

/// Host memory on the NUMA node of `device`, as far as <sysfs_root> says which that is. A transfer
/// from the memory of the other socket measures the link between the sockets. kUnavailable when the
/// system has no memory.
Result<std::unique_ptr<RdmaBuffer>> make_host_buffer(const std::string& sysfs_root,
                                                     const std::string& device,
                                                     std::size_t bytes);

/// The pattern at `index` (in words of 8 bytes): each place has another value, and each seed
/// another pattern, so that data of the wrong place or of another run are noticed.
std::uint64_t pattern_word(std::uint64_t seed, std::size_t index);
void fill_pattern(void* memory, std::size_t bytes, std::uint64_t seed);
bool holds_pattern(const void* memory, std::size_t bytes, std::uint64_t seed);

}  // namespace yardmaster
