#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "healthcheck/rdma/rdma_buffer.hpp"
#include "healthcheck/small_file.hpp"

namespace yardmaster {
namespace {

/// "0-15,32" as a set; empty when it is none.
cpu_set_t parse_cpu_list(const std::string& text) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end) {
        unsigned low = 0;
        const auto parsed = std::from_chars(at, end, low);
        if (parsed.ec != std::errc()) {
            break;
        }
        at = parsed.ptr;
        unsigned high = low;
        if (at < end && *at == '-') {
            at = std::from_chars(at + 1, end, high).ptr;
        }
        for (unsigned cpu = low; cpu <= high && cpu < CPU_SETSIZE; ++cpu) {
            CPU_SET(cpu, &cpus);
        }
        if (at < end && *at != ',') {
            break;
        }
        ++at;
    }
    return cpus;
}

/// Runs on a processor near the device while it lives: memory is taken from where it is first
/// touched. Where that cannot be had, the memory is where it is, as for most jobs.
class NearDevice {
  public:
    NearDevice(const std::string& sysfs_root, const std::string& device) {
        const auto list =
            read_small_file(sysfs_root + "/class/infiniband/" + device + "/device/local_cpulist");
        if (!list || sched_getaffinity(0, sizeof before_, &before_) != 0) {
            return;
        }
        const cpu_set_t near = parse_cpu_list(*list);
        moved_ = CPU_COUNT(&near) > 0 && sched_setaffinity(0, sizeof near, &near) == 0;
    }
    NearDevice(const NearDevice&) = delete;
    NearDevice& operator=(const NearDevice&) = delete;
    ~NearDevice() {
        if (moved_) {
            sched_setaffinity(0, sizeof before_, &before_);
        }
    }

  private:
    cpu_set_t before_{};
    bool moved_ = false;
};

class HostBuffer : public RdmaBuffer {
  public:
    HostBuffer(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    ~HostBuffer() override { munmap(memory_, bytes_); }

    void* address() override { return memory_; }
    std::size_t bytes() const override { return bytes_; }
    Status fill(std::uint64_t seed) override {
        fill_pattern(memory_, bytes_, seed);
        return Status::ok();
    }
    Result<bool> holds(std::uint64_t seed) override { return holds_pattern(memory_, bytes_, seed); }

  private:
    void* memory_;
    std::size_t bytes_;
};

}  // namespace

std::uint64_t pattern_word(std::uint64_t seed, std::size_t index) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: spreads the bits
    return (seed + 1 + index) * kOdd ^ seed;
}

void fill_pattern(void* memory, std::size_t bytes, std::uint64_t seed) {
    auto* words = static_cast<std::uint64_t*>(memory);
    for (std::size_t i = 0; i < bytes / sizeof *words; ++i) {
        words[i] = pattern_word(seed, i);
    }
}

bool holds_pattern(const void* memory, std::size_t bytes, std::uint64_t seed) {
    const auto* words = static_cast<const std::uint64_t*>(memory);
    for (std::size_t i = 0; i < bytes / sizeof *words; ++i) {
        if (words[i] != pattern_word(seed, i)) {
            return false;
        }
    }
    return true;
}

Result<std::unique_ptr<RdmaBuffer>> make_host_buffer(const std::string& sysfs_root,
                                                     const std::string& device,
                                                     std::size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return Status(ErrorCode::kUnavailable,
                      std::to_string(bytes) + " bytes of memory: " + std::strerror(errno));
    }
    auto buffer = std::make_unique<HostBuffer>(memory, bytes);
    const NearDevice near(sysfs_root, device);
    std::memset(memory, 0, bytes);
    return std::unique_ptr<RdmaBuffer>(std::move(buffer));
}

}  // namespace yardmaster
