// The NVLink fields that are read for each link, and the bit error rate among them decoded.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace yardmaster {

struct NvlinkField {
    std::string_view name;  ///< as in evidence: "link_recovery_failed"
    unsigned id = 0;        ///< NVML_FI_DEV_NVLINK_...
    /// A count of errors since the driver was loaded, 64 bits wide: judged by its growth. Else a
    /// bit error rate, judged as it is.
    bool counter = true;
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
