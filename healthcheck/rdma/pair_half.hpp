// The two halves of a pair, which may be on one node or on two: one writes, the other gets what is
// written.
#pragma once

#include "healthcheck/rdma/endpoint.hpp"
#include "healthcheck/rdma/measure.hpp"

namespace yardmaster {

/// What the half that writes saw.
struct SendResult {
    RdmaOutcome outcome = RdmaOutcome::kFailed;
    std::string error;    ///< one sentence; "" when measured
    int wc_status = 0;    ///< enum ibv_wc_status of the first completion with an error
    std::string wc_text;  ///< its name
    std::vector<double> gbps;
    std::optional<double> latency_us;
};

/// Makes an end as `settings` say: a part of the buffer for each write under way.
std::optional<RdmaEndpoint> open_end(VerbsDevice& device,
                                     const RdmaPort& port,
                                     const MeasureSettings& settings,
                                     RdmaEndReading& reading,
                                     EndpointFailure& failure);

/// kUnreachable when a half got no answer while it connected, else kFailed.
RdmaOutcome outcome_of_connect(const Status& status);

/// Borrows `verbs` and `settings`.
class SendingHalf {
  public:
    SendingHalf(VerbsApi& verbs, const MeasureSettings& settings, RdmaEndpoint end)
        : verbs_(verbs), settings_(settings), end_(std::move(end)) {}

    const RdmaAddress& address() const { return end_.address(); }
    /// Fills the buffer with its pattern and connects. As VerbsConnection::connect, and
    /// kInvalidArgument when the receiver's buffer has another size.
    Status connect(const RdmaAddress& receiver);
    /// Begins to write; no write begins after `deadline`.
    void begin(std::chrono::nanoseconds deadline);
    bool begun() const { return stream_.has_value(); }
    /// Moves the stream on. False once it is over.
    bool step() { return stream_->step(); }
    /// After the stream: how it went.
    SendResult result() const;
    /// Of a small write, after a stream that came to its end; none when that fails.
    std::optional<double> latency_us(std::chrono::nanoseconds deadline);

  private:
    void explain_broken_stream(SendResult& result) const;

    VerbsApi& verbs_;
    const MeasureSettings& settings_;
    RdmaEndpoint end_;
    std::optional<WriteStream> stream_;
};

/// What the half that is written to got.
struct ReceiveResult {
    RdmaOutcome outcome = RdmaOutcome::kFailed;
    std::string error;  ///< one sentence; "" when measured
};

/// Borrows `verbs` and `settings`.
class ReceivingHalf {
  public:
    ReceivingHalf(VerbsApi& verbs, const MeasureSettings& settings, RdmaEndpoint end)
        : verbs_(verbs), settings_(settings), end_(std::move(end)) {}

    const RdmaAddress& address() const { return end_.address(); }
    /// Connects and makes ready for the notice. Errors as SendingHalf::connect.
    Status connect(const RdmaAddress& sender);
    /// Looks for the notice that ends the sender's stream. False once it came, or never will.
    bool step();
    /// Whether the notice came, and the whole buffer holds what the sender has in its own.
    ReceiveResult result();

  private:
    VerbsApi& verbs_;
    const MeasureSettings& settings_;
    RdmaEndpoint end_;
    std::uint64_t seed_ = 0;                           ///< of what the sender sends
    std::string trouble_ = "it did not come in time";  ///< why there is no notice
};

/// Steps streams in turn until each is over; all are begun.
void run_streams(std::vector<SendingHalf*> going);
/// Waits until each of `waiting` knows of its notice, or `deadline`.
void wait_for_notices(VerbsApi& verbs,
                      std::vector<ReceivingHalf*> waiting,
                      std::chrono::nanoseconds deadline);

}  // namespace yardmaster
