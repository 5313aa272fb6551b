// What one measurement of one pair shows, before anybody is blamed for it.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/rdma/rdma_reading.hpp"

namespace yardmaster {

struct RdmaSymptom {
    enum class Kind {
        kGood,
        kSaysNothing,  ///< not measured, or there is nothing to compare it with
        kUnknown,      ///< worth telling, nobody's proven fault
        kBad,
    };
    Kind kind = Kind::kGood;
    std::string sign;        ///< Finding::sign
    std::string short_text;  ///< of a bad one
    std::string detail;      ///< one sentence
    std::string port;        ///< the port that is certainly meant; "": one of the two
};

/// The symptom of `reading.pairs[index]`, in the light of the whole run and of what is known of
/// earlier ones.
RdmaSymptom symptom_of(const RdmaReading& reading, std::size_t index);

}  // namespace yardmaster
