// One pair on its way through a measurement. Used by measure.cpp.
#pragma once

#include "healthcheck/rdma/endpoint.hpp"
#include "healthcheck/rdma/measure.hpp"

namespace yardmaster {

class PairRun {
  public:
    PairRun(VerbsApi& verbs, const MeasureSettings& settings, const RdmaPair& pair);

    /// Makes both ends and connects them. False when that failed, which the reading then says.
    bool prepare(VerbsDevice& from, VerbsDevice& to);
    /// Moves the stream on. False once it is over.
    bool step();
    /// After the stream: whether all data arrived, and the latency.
    void conclude(std::chrono::nanoseconds deadline);

    void fail(const RdmaPort& port, const EndpointFailure& failure);
    const RdmaPairReading& reading() const { return reading_; }
    bool ready() const { return stream_.has_value(); }

  private:
    bool open(VerbsDevice& device,
              const RdmaPort& port,
              RdmaEndReading& reading,
              std::optional<RdmaEndpoint>& end);
    bool connect();
    std::string lagging_end() const;
    void fail_pair(RdmaOutcome outcome, const std::string& error);
    void explain_broken_stream();
    bool data_arrived(std::chrono::nanoseconds deadline);

    VerbsApi& verbs_;
    const MeasureSettings& settings_;
    RdmaPair pair_;
    RdmaPairReading reading_;
    std::optional<RdmaEndpoint> sender_;
    std::optional<RdmaEndpoint> receiver_;
    std::optional<WriteStream> stream_;
};

}  // namespace yardmaster
