#include "healthcheck/crossnode/edge_outcome.hpp"

#include "healthcheck/crossnode/end_json.hpp"

namespace yardmaster {
namespace {

constexpr const char* kNoTime = "no time was left to measure it";

/// Writes one edge's reading; each step says whether the edge ended with it.
class Conclusion {
  public:
    Conclusion(const CrossEdge& edge, const EdgeStory& story) : edge_(edge), story_(story) {
        for (const CrossSide side : kCrossSides) {
            RdmaEndReading& end = side == CrossSide::kFrom ? reading_.from : reading_.to;
            if (story.end(side).opened) {
                end = story.end(side).opened->reading;
            }
            end.port = port_of(edge, side).port;
        }
        reading_.attempt = edge.purpose == CrossPurpose::kAgain ? 2 : 1;
    }

    RdmaPairReading reading() {
        if (!node_left() && !not_begun() && !not_opened() && !not_connected() && !not_told()) {
            take_sender();
            take_receiver();
        }
        reading_.error = fit_text(reading_.error);
        return std::move(reading_);
    }

  private:
    void fail(RdmaOutcome outcome, std::string error) {
        reading_.outcome = outcome;
        reading_.error = std::move(error);
    }
    void fail_at(CrossSide side, RdmaOutcome outcome, const std::string& error) {
        const std::string name = port_name(port_of(edge_, side));
        reading_.failed_port = name;
        fail(outcome == RdmaOutcome::kMeasured ? RdmaOutcome::kFailed : outcome,
             name + ": " + error);
    }

    bool node_left() {
        for (const CrossSide side : kCrossSides) {
            if (!story_.end(side).gone.empty()) {
                fail(RdmaOutcome::kFailed,
                     "node " + port_of(edge_, side).node +
                         " left the meeting: " + story_.end(side).gone);
                return true;
            }
        }
        return false;
    }

    bool not_begun() {
        const bool nobody_told = !story_.ends[0].opened && !story_.ends[1].opened;
        if (nobody_told) {
            fail(RdmaOutcome::kFailed, kNoTime);
        }
        return nobody_told;
    }

    bool not_opened() {
        for (const CrossSide side : kCrossSides) {
            const EndStory& end = story_.end(side);
            if (!end.opened) {
                fail(RdmaOutcome::kFailed,
                     "node " + port_of(edge_, side).node + " told nothing of " +
                         port_name(port_of(edge_, side).port));
                return true;
            }
            if (!end.open()) {
                fail_at(side, end.opened->outcome, end.opened->error);
                return true;
            }
        }
        return false;
    }

    /// Where an end gets no answer while it connects, it is not known whose fault that is.
    bool not_connected() {
        for (const CrossSide side : kCrossSides) {
            const EndStory& end = story_.end(side);
            if (end.connected && end.connected->outcome == RdmaOutcome::kUnreachable) {
                fail(RdmaOutcome::kUnreachable, end.connected->error);
                return true;
            }
            if (end.connected && !end.ready()) {
                fail_at(side, end.connected->outcome, end.connected->error);
                return true;
            }
        }
        return false;
    }

    bool not_told() {
        if (!story_.started) {
            fail(RdmaOutcome::kFailed, kNoTime);
            return true;
        }
        for (const CrossSide side : kCrossSides) {
            if (!story_.end(side).result) {
                fail(RdmaOutcome::kFailed, "node " + port_of(edge_, side).node + " told no result");
                return true;
            }
        }
        return false;
    }

    void take_sender() {
        const EndResult& sender = *story_.end(CrossSide::kFrom).result;
        fail(sender.outcome, sender.error);
        reading_.wc_status = sender.wc_status;
        reading_.wc_text = sender.wc_text;
        reading_.message_bytes = sender.message_bytes;
        reading_.gbps = sender.gbps;
        reading_.latency_us = sender.latency_us;
    }

    void take_receiver() {
        const EndResult& receiver = *story_.end(CrossSide::kTo).result;
        if (reading_.outcome == RdmaOutcome::kMeasured &&
            receiver.outcome != RdmaOutcome::kMeasured) {
            fail(receiver.outcome, "the receiver: " + receiver.error);
        }
    }

    const CrossEdge& edge_;
    const EdgeStory& story_;
    RdmaPairReading reading_;
};

}  // namespace

RdmaPairReading conclude_edge(const CrossEdge& edge, const EdgeStory& story) {
    return Conclusion(edge, story).reading();
}

}  // namespace yardmaster
