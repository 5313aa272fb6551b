// What became of one edge, put together from what its two ends told.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "healthcheck/crossnode/cross_message.hpp"

namespace yardmaster {

/// One end's part, step by step, as far as its node came.
struct EndStory {
    std::optional<OpenedEnd> opened;
    std::optional<ReadyMessage::Connected> connected;
    std::optional<EndResult> result;
    /// Why the node is no longer there; "" while it is.
    std::string gone;

    bool open() const { return opened && opened->address.has_value(); }
    bool ready() const { return connected && connected->outcome == RdmaOutcome::kMeasured; }
};

/// Both ends of one edge.
struct EdgeStory {
    std::array<EndStory, 2> ends;  ///< by CrossSide
    bool started = false;          ///< it was in `go`

    EndStory& end(CrossSide side) { return ends[static_cast<std::size_t>(side)]; }
    const EndStory& end(CrossSide side) const { return ends[static_cast<std::size_t>(side)]; }
    bool open() const { return ends[0].open() && ends[1].open(); }
    bool ready() const { return ends[0].ready() && ends[1].ready(); }
};

/// The measurement of `edge`. A node that left fails its edges, whatever their ends saw: what the
/// other one saw of it is no link's fault. Then, an end that could not be made or connected; then
/// what the sender saw; and what the receiver did, where the sender was content.
RdmaPairReading conclude_edge(const CrossEdge& edge, const EdgeStory& story);

}  // namespace yardmaster
