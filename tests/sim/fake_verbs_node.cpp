#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "healthcheck/port/rate.hpp"
#include "tests/sim/fake_verbs.hpp"

namespace yardmaster::sim {
namespace {

constexpr Nanoseconds kGivesUpAfter = 500'000'000;
constexpr unsigned kGoodBeforeBroken = 500;
/// Headers take this much on a port of MTU 4096: NDR carries 397.5 Gb/s.
constexpr double kPayloadShare = 4096.0 / (4096 + 26);
constexpr double kPayloadShareRoce = 4096.0 / (4096 + 82);
constexpr unsigned kForEverRetries = 7;

std::string node_folder() {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&node_folder), &info);
    return std::filesystem::path(info.dli_fname).parent_path().parent_path();
}

struct Step {
    ibv_qp_state from;
    ibv_qp_state to;
    int needs;
};
constexpr Step kSteps[] = {
    {IBV_QPS_RESET,
     IBV_QPS_INIT,
     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS},
    {IBV_QPS_INIT,
     IBV_QPS_RTR,
     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER},
    {IBV_QPS_RTR,
     IBV_QPS_RTS,
     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
         IBV_QP_MAX_QP_RD_ATOMIC},
};

}  // namespace

FakeNode::FakeNode() : folder_(node_folder()) {
    load();
}

void FakeNode::load() {
    if (!devices_.empty()) {
        return;
    }
    const auto scenario = load_rdma_scenario(folder_ + "/rdma/rdma.json");
    wire_ = std::make_unique<FakeWire>(scenario ? *scenario : RdmaScenario{});
    for (const std::string& name : read_port_inventory(folder_ + "/sys").devices) {
        auto device = std::make_unique<ibv_device>();
        std::strncpy(device->name, name.c_str(), sizeof device->name - 1);
        devices_.push_back(std::move(device));
    }
}

std::uint8_t FakeNode::number(const std::string& device) const {
    const auto found = std::find_if(
        devices_.begin(), devices_.end(), [&](const auto& other) { return device == other->name; });
    return static_cast<std::uint8_t>(found - devices_.begin());
}

PortReading FakeNode::port(const std::string& device) const {
    return read_port(folder_ + "/sys", device, 1);
}

int FakeNode::modify(FakeQp& qp, const ibv_qp_attr& wish, int mask) {
    const bool known = std::any_of(std::begin(kSteps), std::end(kSteps), [&](const Step& step) {
        return step.from == qp.state && step.to == wish.qp_state && step.needs == mask;
    });
    const bool for_ever = wish.qp_state == IBV_QPS_RTS &&
                          (wish.retry_cnt >= kForEverRetries || wish.rnr_retry >= kForEverRetries);
    if (!known || for_ever) {
        return EINVAL;
    }
    qp.state = wish.qp_state;
    if (wish.qp_state == IBV_QPS_RTR) {
        qp.peer = wish.dest_qp_num;
    }
    return 0;
}

FakeNode::Route FakeNode::route_of(const FakeQp& qp) const {
    Route route;
    route.from = reinterpret_cast<FakeContext*>(qp.ibv.context)->name;
    const auto peer = queue_pairs_.find(qp.peer);
    if (peer == queue_pairs_.end()) {
        return route;
    }
    route.to = reinterpret_cast<FakeContext*>(peer->second->ibv.context)->name;
    const bool apart = wire_->scenario().separate && route.from != route.to;
    const bool silent =
        wire_->nic(route.from).fault == "retry" || wire_->nic(route.to).fault == "retry";
    if (!apart && (!silent || route.from == route.to)) {
        route.peer = peer->second;
    }
    return route;
}

bool FakeNode::broken(const FakeQp& qp, const Route& route) const {
    const bool breaks =
        wire_->nic(route.from).fault == "broken" || wire_->nic(route.to).fault == "broken";
    return route.peer == nullptr || (breaks && qp.writes > kGoodBeforeBroken);
}

double FakeNode::payload_gbps(const Route& route) const {
    double slowest = 1e9;
    for (const std::string& device : {route.from, route.to}) {
        const PortReading reading = port(device);
        const auto rate = parse_port_rate(reading.rate.value_or(""));
        const double share = reading.link_layer == "Ethernet" ? kPayloadShareRoce : kPayloadShare;
        slowest = std::min(slowest, (rate ? rate->gbps : 1) * share);
    }
    return slowest;
}

void FakeNode::copy(FakeQp& qp, const ibv_send_wr& work, const Route& route) {
    const std::uint64_t target = work.wr.rdma.remote_addr;
    if (!qp.copied.insert(target).second) {
        return;  // the same bytes as before: the sender's buffer does not change
    }
    auto* bytes = reinterpret_cast<unsigned char*>(target);
    std::memcpy(bytes, reinterpret_cast<void*>(work.sg_list[0].addr), work.sg_list[0].length);
    if (wire_->nic(route.from).fault == "bad-data" || wire_->nic(route.to).fault == "bad-data") {
        bytes[work.sg_list[0].length / 2] ^= 0x10;
    }
}

int FakeNode::send(FakeQp& qp, const ibv_send_wr& work) {
    auto& own = reinterpret_cast<FakeCq*>(qp.ibv.send_cq)->queue;
    if (qp.state != IBV_QPS_RTS || own.size() > qp.depth + 1) {
        return ENOMEM;
    }
    ++qp.writes;
    const Route route = route_of(qp);
    if (broken(qp, route)) {
        own.push_back({wire_->now() + kGivesUpAfter, IBV_WC_RETRY_EXC_ERR, false});
        return 0;
    }
    // The rate is looked up once a connection: reading files for each write would cost real time.
    if (qp.gbps == 0) {
        qp.gbps = payload_gbps(route);
    }
    copy(qp, work, route);
    const Nanoseconds due = wire_->transfer(route.from, route.to, work.sg_list[0].length, qp.gbps);
    own.push_back({due, IBV_WC_SUCCESS, false});
    if (work.opcode == IBV_WR_RDMA_WRITE_WITH_IMM && route.peer->receives > 0) {
        --route.peer->receives;
        reinterpret_cast<FakeCq*>(route.peer->ibv.recv_cq)
            ->queue.push_back({due, IBV_WC_SUCCESS, true});
    }
    return 0;
}

int FakeNode::poll(FakeQueue& queue, int most, ibv_wc* completions) {
    if (queue.empty() || queue.front().due > wire_->now()) {
        wire_->wait();
    }
    int count = 0;
    while (count < most && !queue.empty() && queue.front().due <= wire_->now()) {
        completions[count] = {};
        completions[count].status = static_cast<ibv_wc_status>(queue.front().status);
        completions[count].opcode =
            queue.front().received ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RDMA_WRITE;
        queue.pop_front();
        ++count;
    }
    return count;
}

}  // namespace yardmaster::sim
