#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tests/sim/fake_verbs.hpp"

namespace yardmaster::sim {
namespace {

constexpr unsigned kGoodBeforeBroken = 500;
constexpr unsigned kForEverRetries = 7;

std::string node_folder() {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&node_folder), &info);
    const auto library = std::filesystem::absolute(info.dli_fname).lexically_normal();
    return library.parent_path().parent_path();
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
    wire_folder_ = WireFolder(wire_->scenario().wire);
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

int FakeNode::send(FakeQp& qp, const ibv_send_wr& work) {
    auto& queue = reinterpret_cast<FakeCq*>(qp.ibv.send_cq)->queue;
    if (qp.state != IBV_QPS_RTS || queue.size() > qp.depth + 1) {
        return ENOMEM;
    }
    ++qp.writes;
    // Looked up once a connection: reading files for each write would cost real time.
    if (!qp.path) {
        qp.path = path_of(qp);
    }
    if (qp.path->silent || (qp.path->breaks && qp.writes > kGoodBeforeBroken)) {
        give_up(qp);
        return 0;
    }
    copy(qp, work);
    const Nanoseconds due =
        wire_->transfer(qp.path->from, qp.path->to, work.sg_list[0].length, qp.path->gbps);
    queue.push_back({due, IBV_WC_SUCCESS, false});
    if (work.opcode == IBV_WR_RDMA_WRITE_WITH_IMM) {
        notify(qp, due);
    }
    return 0;
}

int FakeNode::poll(FakeQueue& queue, int most, ibv_wc* completions) {
    if (queue.empty() && awaits_other_process(queue)) {
        wire_->wait_for_others();
    } else if (queue.empty() || queue.front().due > wire_->now()) {
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
