// The insides of the fake libibverbs: its objects, and the node they live on.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "healthcheck/port/port_reader.hpp"
#include "tests/sim/fake_path.hpp"
#include "tests/sim/fake_wire.hpp"

namespace yardmaster::sim {

struct FakeContext {
    FakeContext(ibv_device& device, std::uint8_t n) : name(device.name), number(n) {
        ibv.device = &device;
    }
    ibv_context ibv{};  // first: libibverbs' users see its address
    std::string name;
    std::uint8_t number;  ///< place of the device in the list
    int objects = 0;      ///< that are not given back yet
};

struct FakeCq {
    ibv_cq ibv{};  // first, as above
    FakeQueue queue;
};

struct FakeQp {
    ibv_qp ibv{};  // first, as above
    ibv_qp_state state = IBV_QPS_RESET;
    std::uint32_t peer = 0;  ///< queue pair number
    unsigned depth = 0;
    unsigned receives = 0;           ///< posted and not used yet
    bool peer_silent = false;        ///< the peer, in another process, has given up
    unsigned writes = 0;             ///< posted so far
    std::optional<FakePath> path;    ///< looked up at the first write
    std::set<std::uint64_t> copied;  ///< remote addresses whose data have been copied once
};

class FakeNode {
  public:
    FakeNode();
    /// Reads the scenario and the devices anew, as often as it is called before a device is open.
    void load();
    FakeWire& wire() { return *wire_; }
    const std::vector<std::unique_ptr<ibv_device>>& devices() const { return devices_; }
    std::uint8_t number(const std::string& device) const;
    PortReading port(const std::string& device) const;
    std::uint32_t next_number() { return ++last_number_; }
    /// [start] bytes of registered memory.
    std::map<std::uint64_t, std::size_t>& memory() { return memory_; }
    /// Gives the queue pair its number.
    void add(FakeQp& qp);
    void remove(const FakeQp& qp);

    /// The steps RESET, INIT, RTR, RTS in this order only, with what each needs; else EINVAL.
    int modify(FakeQp& qp, const ibv_qp_attr& wish, int mask);
    int send(FakeQp& qp, const ibv_send_wr& work);
    int poll(FakeQueue& queue, int most, ibv_wc* completions);

  private:
    WireEnd end_of(const FakeQp& qp) const;
    /// The queue pair of that number in this process; nullptr when it is another's, or none.
    FakeQp* own(std::uint32_t number) const;
    FakePath path_of(const FakeQp& qp) const;
    void give_up(FakeQp& qp);
    void copy(FakeQp& qp, const ibv_send_wr& work);
    void notify(FakeQp& qp, Nanoseconds due);
    bool awaits_other_process(FakeQueue& queue);
    void take_data(std::uint32_t number);

    std::string folder_;  ///< of the simulated node
    std::unique_ptr<FakeWire> wire_;
    std::vector<std::unique_ptr<ibv_device>> devices_;
    WireFolder wire_folder_{""};
    std::map<std::uint32_t, FakeQp*> queue_pairs_;
    std::map<std::uint64_t, std::size_t> memory_;
    std::uint32_t last_number_ = 0x100;
};

}  // namespace yardmaster::sim

// What the context's operations point to.
int fake_post_send(ibv_qp* qp, ibv_send_wr* work, ibv_send_wr** bad);
int fake_post_recv(ibv_qp* qp, ibv_recv_wr* work, ibv_recv_wr** bad);
int fake_poll_cq(ibv_cq* cq, int most, ibv_wc* completions);
