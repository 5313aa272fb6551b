// How the fake libibverbs' queue pairs find their peers, in this process or in that of another
// node.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/sim/fake_verbs.hpp"

namespace yardmaster::sim {
namespace {

constexpr Nanoseconds kGivesUpAfter = 500'000'000;
/// Between nodes sooner: this time is taken from what the process waits for other nodes' writes,
/// which come in real time.
constexpr Nanoseconds kGivesUpAfterFar = 100'000'000;

}  // namespace

void FakeNode::add(FakeQp& qp) {
    qp.ibv.qp_num = wire_folder_.there() ? wire_folder_.reserve(end_of(qp)) : next_number();
    queue_pairs_[qp.ibv.qp_num] = &qp;
}

void FakeNode::remove(const FakeQp& qp) {
    queue_pairs_.erase(qp.ibv.qp_num);
    if (wire_folder_.there()) {
        wire_folder_.release(qp.ibv.qp_num);
    }
}

WireEnd FakeNode::end_of(const FakeQp& qp) const {
    return {folder_, reinterpret_cast<FakeContext*>(qp.ibv.context)->name};
}

FakeQp* FakeNode::own(std::uint32_t number) const {
    const auto found = queue_pairs_.find(number);
    return found == queue_pairs_.end() ? nullptr : found->second;
}

FakePath FakeNode::path_of(const FakeQp& qp) const {
    if (const FakeQp* peer = own(qp.peer)) {
        return path_between(end_of(qp), end_of(*peer));
    }
    const auto peer = wire_folder_.there() ? wire_folder_.owner(qp.peer) : std::nullopt;
    return peer ? path_between(end_of(qp), *peer) : FakePath{};
}

void FakeNode::give_up(FakeQp& qp) {
    const bool far = wire_folder_.there() && own(qp.peer) == nullptr;
    if (far) {
        wire_folder_.give_up(qp.peer);
    }
    reinterpret_cast<FakeCq*>(qp.ibv.send_cq)
        ->queue.push_back(
            {wire_->now() + (far ? kGivesUpAfterFar : kGivesUpAfter), IBV_WC_RETRY_EXC_ERR, false});
}

void FakeNode::copy(FakeQp& qp, const ibv_send_wr& work) {
    const std::uint64_t target = work.wr.rdma.remote_addr;
    if (!qp.copied.insert(target).second) {
        return;  // the same bytes as before: the sender's buffer does not change
    }
    const auto* source = reinterpret_cast<const unsigned char*>(work.sg_list[0].addr);
    std::vector<unsigned char> bytes(source, source + work.sg_list[0].length);
    if (qp.path->spoils) {
        bytes[bytes.size() / 2] ^= 0x10;
    }
    if (own(qp.peer) == nullptr) {
        wire_folder_.put(qp.peer, target, bytes);
    } else {
        std::memcpy(reinterpret_cast<void*>(target), bytes.data(), bytes.size());
    }
}

void FakeNode::notify(FakeQp& qp, Nanoseconds due) {
    FakeQp* peer = own(qp.peer);
    if (peer == nullptr) {
        wire_folder_.notify(qp.peer);
    } else if (peer->receives > 0) {
        --peer->receives;
        reinterpret_cast<FakeCq*>(peer->ibv.recv_cq)->queue.push_back({due, IBV_WC_SUCCESS, true});
    }
}

/// Takes the data and the notice of another process when they are there. True when a queue pair of
/// `queue` goes on waiting for them.
bool FakeNode::awaits_other_process(FakeQueue& queue) {
    for (const auto& [number, qp] : queue_pairs_) {
        const bool waits = &reinterpret_cast<FakeCq*>(qp->ibv.recv_cq)->queue == &queue &&
                           qp->receives > 0 && qp->peer != 0 && !qp->peer_silent;
        if (!wire_folder_.there() || !waits || own(qp->peer) != nullptr) {
            continue;
        }
        if (wire_folder_.take_notice(number)) {
            take_data(number);
            --qp->receives;
            queue.push_back({wire_->now(), IBV_WC_SUCCESS, true});
            return false;
        }
        qp->peer_silent = wire_folder_.given_up(number);
        return !qp->peer_silent;
    }
    return false;
}

void FakeNode::take_data(std::uint32_t number) {
    wire_folder_.take(number, [&](std::uint64_t address, std::span<const unsigned char> bytes) {
        auto after = memory_.upper_bound(address);
        if (after == memory_.begin() ||
            address + bytes.size() > std::prev(after)->first + std::prev(after)->second) {
            std::fprintf(stderr, "fake libibverbs: a write beyond the registered memory\n");
            std::abort();
        }
        std::memcpy(reinterpret_cast<void*>(address), bytes.data(), bytes.size());
    });
}

}  // namespace yardmaster::sim
