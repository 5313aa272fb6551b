// The NVLink fields that are read for each link, and the bit error rate among them decoded.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace yardmaster {

/// What a field is, and so how it is judged. Counts are of the time since the driver was loaded, 64
/// bits wide, and judged by their growth.
enum class NvlinkCount {
    kRate,      ///< no count but a bit error rate, judged as it is
    kErrors,    ///< CounterLimits::nvlink_errors_per_minute
    kCrc,       ///< CounterLimits::nvlink_crc_per_s
    kLost,      ///< the link went down: any growth is a sign
    kAdvisory,  ///< moves without a fault, or is contained in another: never judged
};

struct NvlinkField {
    std::string_view name;  ///< as in evidence: "link_recovery_failed"
    unsigned id = 0;        ///< NVML_FI_DEV_NVLINK_...
    NvlinkCount count = NvlinkCount::kErrors;
};

/// The data link layer's counters up to Hopper (161 to 163) and those of NVLink 5 from Blackwell on
/// (206 to 222); each generation answers "not supported" to the other's. Packet and byte counts are
/// traffic, not errors, and are left out.
const std::vector<NvlinkField>& nvlink_fields();

inline constexpr std::string_view kEffectiveBer = "effective_ber";  ///< after FEC, before replay
inline constexpr std::string_view kSymbolBer = "symbol_ber";        ///< what is left after both

/// The rate that NVML packs into a field: mantissa times 10 to the minus exponent, exponent in bits
/// 0 to 7, mantissa in bits 8 to 11 (NVML_NVLINK_BER_*). 15e-255 is how "no error" reads.
double decode_ber(std::uint64_t packed);

}  // namespace yardmaster
