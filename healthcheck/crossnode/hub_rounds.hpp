// Rounds of measurements between members of a meeting.
#pragma once

#include <map>
#include <vector>

#include "healthcheck/crossnode/edge_outcome.hpp"
#include "healthcheck/crossnode/hub_members.hpp"

namespace yardmaster {

/// Takes all members through rounds, each in the three steps of cross_message.hpp. No step takes
/// more than half of what its round has left, so that one member that hangs in a driver costs its
/// own edges only.
class HubRounds {
  public:
    /// Both are borrowed. At `end` all rounds are over.
    HubRounds(HubMembers& members, Clock::time_point end) : members_(members), end_(end) {}

    /// Measures `edges[first]` and all after it, and writes each one's `measured`; as many rounds
    /// as they need and time allows. `rounds_after`: for so many more rounds time is kept back.
    void measure(std::vector<CrossEdge>& edges, std::size_t first, unsigned rounds_after);

  private:
    using Stories = std::map<std::size_t, EdgeStory>;  ///< by edge

    void run_round(const std::vector<CrossEdge>& edges,
                   Stories& stories,
                   Clock::time_point round_end);
    void open(const std::vector<CrossEdge>& edges, Stories& stories, Clock::time_point deadline);
    void connect(const std::vector<CrossEdge>& edges, Stories& stories, Clock::time_point deadline);
    void go(const std::vector<CrossEdge>& edges, Stories& stories, Clock::time_point deadline);

    HubMembers& members_;
    Clock::time_point end_;
};

}  // namespace yardmaster
