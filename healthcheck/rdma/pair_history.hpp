// All measurements of one pair in a run, and who is to blame for a bad one. Used by the RDMA judge.
#pragma once

#include <vector>

#include "healthcheck/rdma/rdma_symptom.hpp"

namespace yardmaster {

struct PairHistory {
    RdmaPair pair;
    bool bad = false;            ///< bad, and not good when measured again
    bool repeated = false;       ///< bad at least twice, and not good at the end
    RdmaSymptom first_bad;       ///< of a bad pair
    RdmaSymptom last;            ///< of the last measurement
    std::size_t last_index = 0;  ///< its place in RdmaReading::pairs
};

/// One a pair, in the order in which the pairs were first measured.
std::vector<PairHistory> histories_of(const RdmaReading& reading);

/// The ports that a bad pair's symptom is laid to: the one that the symptom itself names; else the
/// end that is bad with others too while the other end is good with others; else both ends.
std::vector<RdmaPort> culprits_of(const PairHistory& history, const std::vector<PairHistory>& all);

}  // namespace yardmaster
