#include "healthcheck/nvlink/nvlink_field.hpp"

#include <cmath>

namespace yardmaster {

// NVML API reference, "Field Value Enums": NVML_FI_DEV_NVLINK_ERROR_DL_* and
// NVML_FI_DEV_NVLINK_COUNT_*; scopeId is the link.
const std::vector<NvlinkField>& nvlink_fields() {
    static const std::vector<NvlinkField> fields = {
        {"replay", 161},
        {"recovery", 162},
        {"crc", 163, NvlinkCount::kCrc},
        {"malformed_packet", 206},
        {"buffer_overrun", 207},
        {"receive", 208},
        {"receive_remote", 209},
        {"receive_general", 210},
        {"local_link_integrity", 211},
        {"transmit_discard", 212, NvlinkCount::kAdvisory},          // also while its peer is reset
        {"link_recovery_successful", 213, NvlinkCount::kAdvisory},  // part of 215
        {"link_recovery_failed", 214, NvlinkCount::kLost},
        {"link_recovery", 215},
        {kEffectiveBer, 220, NvlinkCount::kRate},
        {kSymbolBer, 222, NvlinkCount::kRate},
    };
    return fields;
}

double decode_ber(std::uint64_t packed) {
    const unsigned exponent = packed & 0xff;
    const unsigned mantissa = (packed >> 8) & 0xf;
    return mantissa * std::pow(10.0, -static_cast<double>(exponent));
}

}  // namespace yardmaster
