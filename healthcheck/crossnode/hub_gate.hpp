// Who comes to a meeting: the hub's listening socket, and connections that have not said hello.
#pragma once

#include <list>
#include <map>
#include <string>

#include "healthcheck/crossnode/hub_members.hpp"
#include "healthcheck/crossnode/hub_socket.hpp"
#include "healthcheck/crossnode/meeting.hpp"

namespace yardmaster {

/// Lets members in until all are there or it is time to begin. Nobody else gets an answer:
/// connections are closed when they say anything but a hello of this meeting, or nothing within
/// a second; the oldest of them when there are too many.
class HubGate {
  public:
    HubGate(const MeetingSettings& settings, Seal& seal, OwnedFd listener);

    /// Returns when all nodes are there, at `settings.meet_by` at the latest.
    void admit(HubMembers& members);
    /// Of nodes that are no members: why their hello was not accepted.
    const std::map<std::string, std::string>& refused() const { return refused_; }

  private:
    struct Stranger {
        MessageSocket socket;
        Clock::time_point until;
    };

    bool all_there(const HubMembers& members) const;
    void wait(const HubMembers& members) const;
    void accept_all();
    /// What of a stranger's connection remains to be done after this moment: true when nothing.
    bool hear(Stranger& stranger, HubMembers& members);
    void judge_hello(HelloMessage hello, MessageSocket& socket, HubMembers& members);
    /// Why `hello` is not of a member-to-be; "" when it is.
    std::string objection(const HelloMessage& hello, const HubMembers& members) const;
    /// Members that broke off, or speak before they are spoken to.
    void watch(HubMembers& members);

    const MeetingSettings& settings_;
    Seal& seal_;
    OwnedFd listener_;
    std::list<Stranger> strangers_;  // the oldest first
    std::map<std::string, std::string> refused_;
};

}  // namespace yardmaster
