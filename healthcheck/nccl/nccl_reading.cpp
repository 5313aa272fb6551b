#include "healthcheck/nccl/nccl_reading.hpp"

#include <algorithm>

namespace yardmaster {

std::string_view to_string(NcclSums sums) {
    switch (sums) {
        case NcclSums::kRight:
            return "right";
        case NcclSums::kWrong:
            return "wrong";
        case NcclSums::kNotChecked:
            break;
    }
    return "not-checked";
}

NcclConditions conditions_of(const NcclReading& reading,
                             const NcclAttempt& attempt,
                             std::uint64_t bytes) {
    return {reading.model,
            static_cast<unsigned>(reading.uuids.size()),
            reading.set,
            reading.driver,
            attempt.nccl,
            attempt.site_conf,
            bytes};
}

double best_busbw(const NcclBandwidth& bandwidth) {
    return *std::max_element(bandwidth.busbw.begin(), bandwidth.busbw.end());
}

}  // namespace yardmaster
