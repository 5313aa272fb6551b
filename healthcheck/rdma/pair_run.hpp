// One pair of this node's ports on its way through a measurement. Used by measure.cpp.
#pragma once

#include "healthcheck/rdma/pair_half.hpp"

namespace yardmaster {

class PairRun {
  public:
    PairRun(VerbsApi& verbs, const MeasureSettings& settings, const RdmaPair& pair);

    /// Makes both ends and connects them. False when that failed, which the reading then says.
    bool prepare(VerbsDevice& from, VerbsDevice& to);
    /// After the stream: whether all data arrived, and the latency.
    void conclude(std::chrono::nanoseconds deadline);

    void fail(const RdmaPort& port, const EndpointFailure& failure);
    const RdmaPairReading& reading() const { return reading_; }
    bool ready() const { return sender_ && sender_->begun(); }
    SendingHalf& sender() { return *sender_; }

  private:
    template <typename Half>
    bool open(VerbsDevice& device, RdmaEndReading& reading, std::optional<Half>& half);
    bool connect();
    bool addresses_meet();
    void fail_pair(RdmaOutcome outcome, const std::string& error);

    VerbsApi& verbs_;
    const MeasureSettings& settings_;
    RdmaPair pair_;
    RdmaPairReading reading_;
    std::optional<SendingHalf> sender_;
    std::optional<ReceivingHalf> receiver_;
};

}  // namespace yardmaster
