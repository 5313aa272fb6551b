// Judges what the RDMA probe measured.
#pragma once

#include <vector>

#include "healthcheck/rdma/rdma_reading.hpp"
#include "healthcheck/verdict.hpp"

namespace yardmaster {

/// Findings, one a port and sign; a pure function of the reading. A pair that came out bad blames
/// the end whose other pairs are bad too while the other end's are good; else both, and says so. A
/// pair that was measured again and was good then is good; one that was bad again makes the finding
/// `repeated`. Latency is advice for people, never a finding.
std::vector<Finding> judge_rdma(const RdmaReading& reading);

/// What to measure once more before anything is concluded: the pairs that came out bad, and, where
/// that leaves open which end it is, each end with a third port. A pair without an answer gets self
/// loops of its ends, so that at least PCIe and the NICs are known. Empty: nothing.
std::vector<RdmaPair> pairs_to_measure_again(const RdmaReading& reading);

/// The baselines after this run: each pair's last good value is added to what `reading` had.
RdmaBaselines learned_from(const RdmaReading& reading);

}  // namespace yardmaster
