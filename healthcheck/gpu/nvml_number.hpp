// A number that NVML gave, or the error that stood in its place.
#pragma once

#include <cstdint>

namespace yardmaster {

/// nvmlReturn_t values that a judgement depends on (NVML API reference, "Enumerator nvmlReturn_t").
enum NvmlCode : int {
    kNvmlNotRead = -1,  ///< none of NVML's: nobody asked (older evidence, a reader given up)
    kNvmlSuccess = 0,
    kNvmlInvalidArgument = 2,
    kNvmlNotSupported = 3,
    kNvmlFunctionNotFound = 13,
    kNvmlGpuIsLost = 15,
    kNvmlResetRequired = 16,
    kNvmlArgumentVersionMismatch = 25,
    kNvmlUnknown = 999,
};

/// Whether `code` only says that this device, or this library, has no such thing as a field, link
/// or structure that newer ones have: normal on some models and drivers, never a sign of damage.
constexpr bool means_absent(int code) {
    return code == kNvmlNotRead || code == kNvmlInvalidArgument || code == kNvmlNotSupported ||
           code == kNvmlFunctionNotFound || code == kNvmlArgumentVersionMismatch;
}

struct NvmlNumber {
    int code = kNvmlUnknown;  ///< nvmlReturn_t, or kNvmlNotRead
    std::uint64_t value = 0;  ///< meaningful only when code is kNvmlSuccess
    bool ok() const { return code == kNvmlSuccess; }
    bool operator==(const NvmlNumber&) const = default;
};

/// What stands for a number in evidence that is older than the number.
inline constexpr NvmlNumber kNumberNotRead{kNvmlNotRead, 0};

}  // namespace yardmaster
