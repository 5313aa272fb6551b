// A libibverbs.so.1 for machines without RDMA. It answers from the sys and rdma folders of the
// simulated node whose path it was loaded by. Writes copy memory; what is not given back before a
// device is closed ends the program, so that a leak is a failed test.
#include "tests/sim/fake_verbs.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "healthcheck/port/rate.hpp"

#undef ibv_query_port
#undef ibv_reg_mr
#define YM_EXPORT extern "C" __attribute__((visibility("default")))

using namespace yardmaster;       // NOLINT: this file is the library's whole inside
using namespace yardmaster::sim;  // NOLINT

namespace {

constexpr auto kForEver = std::chrono::seconds(600);
constexpr unsigned kGidLocal = 0;

FakeNode& node() {
    static FakeNode instance;
    return instance;
}

FakeContext* fake(ibv_context* context) {
    return reinterpret_cast<FakeContext*>(context);
}

void give_gid(ibv_gid_entry& entry, unsigned index, unsigned type) {
    entry.gid_index = index;
    entry.port_num = 1;
    entry.gid_type = type;
}

/// Index 0 is link-local; RoCE has an IPv4 address at index 1.
unsigned fill_gids(const FakeContext& device, ibv_gid_entry* entries) {
    const std::string fault = node().wire().nic(device.name).all.fault;
    const PortReading port = node().port(device.name);
    const bool roce = port.link_layer == "Ethernet";
    if (fault == "no-gid") {
        return 0;
    }
    const std::uint8_t number = device.number;
    const std::uint8_t local[16] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, number};
    std::memcpy(entries[0].gid.raw, local, sizeof local);
    give_gid(entries[0], kGidLocal, roce ? IBV_GID_TYPE_ROCE_V2 : IBV_GID_TYPE_IB);
    if (!roce || fault == "gid-local") {
        return 1;
    }
    const std::uint8_t ipv4[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, number, 1};
    std::memcpy(entries[1].gid.raw, ipv4, sizeof ipv4);
    give_gid(entries[1], 1, IBV_GID_TYPE_ROCE_V2);
    return 2;
}

}  // namespace

YM_EXPORT std::uint64_t ym_simulated_clock_ns() {
    return node().wire().now();
}

YM_EXPORT ibv_device** ibv_get_device_list(int* count) {
    node().load();
    auto** list = new ibv_device* [node().devices().size() + 1] {};
    int filled = 0;
    for (const auto& device : node().devices()) {
        list[filled++] = device.get();
    }
    *count = filled;
    return list;
}

YM_EXPORT void ibv_free_device_list(ibv_device** list) {
    delete[] list;
}

YM_EXPORT const char* ibv_get_device_name(ibv_device* device) {
    return device->name;
}

YM_EXPORT ibv_context* ibv_open_device(ibv_device* device) {
    if (node().wire().nic(device->name).all.fault == "hang") {
        std::this_thread::sleep_for(kForEver);
    }
    auto* context = new FakeContext(*device, node().number(device->name));
    context->ibv.ops.post_send = fake_post_send;
    context->ibv.ops.post_recv = fake_post_recv;
    context->ibv.ops.poll_cq = fake_poll_cq;
    return &context->ibv;
}

YM_EXPORT int ibv_close_device(ibv_context* context) {
    if (fake(context)->objects != 0) {
        std::fprintf(stderr, "fake libibverbs: %d objects left\n", fake(context)->objects);
        std::abort();
    }
    delete fake(context);
    return 0;
}

YM_EXPORT int ibv_query_device(ibv_context*, ibv_device_attr* facts) {
    std::snprintf(
        facts->fw_ver, sizeof facts->fw_ver, "%s", node().wire().scenario().firmware.c_str());
    return 0;
}

YM_EXPORT int ibv_query_port(ibv_context* context, std::uint8_t, _compat_ibv_port_attr* compat) {
    const PortReading port = node().port(fake(context)->name);
    auto* facts = reinterpret_cast<ibv_port_attr*>(compat);
    const auto state = parse_port_state(port.state.value_or(""));
    facts->state = static_cast<ibv_port_state>(state ? state->number : 0);
    const bool roce = port.link_layer == "Ethernet";
    facts->link_layer = roce ? IBV_LINK_LAYER_ETHERNET : IBV_LINK_LAYER_INFINIBAND;
    facts->lid = roce ? 0 : static_cast<std::uint16_t>(fake(context)->number + 1);
    facts->active_mtu = IBV_MTU_4096;
    return port.present ? 0 : EINVAL;
}

YM_EXPORT ssize_t _ibv_query_gid_table(
    ibv_context* context, ibv_gid_entry* entries, std::size_t most, std::uint32_t, std::size_t) {
    return most < 2 ? -EINVAL : static_cast<ssize_t>(fill_gids(*fake(context), entries));
}

YM_EXPORT const char* ibv_wc_status_str(ibv_wc_status status) {
    return status == IBV_WC_RETRY_EXC_ERR ? "transport retry counter exceeded" : "simulated error";
}

YM_EXPORT ibv_pd* ibv_alloc_pd(ibv_context* context) {
    ++fake(context)->objects;
    return new ibv_pd{context, 0};
}

YM_EXPORT int ibv_dealloc_pd(ibv_pd* pd) {
    --fake(pd->context)->objects;
    delete pd;
    return 0;
}

YM_EXPORT ibv_mr* ibv_reg_mr(ibv_pd* pd, void* address, std::size_t bytes, int) {
    ++fake(pd->context)->objects;
    const std::uint32_t key = node().next_number();
    node().memory()[reinterpret_cast<std::uint64_t>(address)] = bytes;
    return new ibv_mr{pd->context, pd, address, bytes, 0, key, key};
}

YM_EXPORT int ibv_dereg_mr(ibv_mr* mr) {
    --fake(mr->context)->objects;
    node().memory().erase(reinterpret_cast<std::uint64_t>(mr->addr));
    delete mr;
    return 0;
}

YM_EXPORT ibv_cq* ibv_create_cq(ibv_context* context, int, void*, ibv_comp_channel*, int) {
    ++fake(context)->objects;
    auto* cq = new FakeCq{};
    cq->ibv.context = context;
    node().wire().add_queue(&cq->queue);
    return &cq->ibv;
}

YM_EXPORT int ibv_destroy_cq(ibv_cq* cq) {
    --fake(cq->context)->objects;
    node().wire().remove_queue(&reinterpret_cast<FakeCq*>(cq)->queue);
    delete reinterpret_cast<FakeCq*>(cq);
    return 0;
}

YM_EXPORT ibv_qp* ibv_create_qp(ibv_pd* pd, ibv_qp_init_attr* wish) {
    ++fake(pd->context)->objects;
    auto* qp = new FakeQp{};
    qp->ibv.context = pd->context;
    qp->ibv.send_cq = wish->send_cq;
    qp->ibv.recv_cq = wish->recv_cq;
    qp->depth = wish->cap.max_send_wr;
    node().add(*qp);
    return &qp->ibv;
}

YM_EXPORT int ibv_modify_qp(ibv_qp* qp, ibv_qp_attr* wish, int mask) {
    return node().modify(*reinterpret_cast<FakeQp*>(qp), *wish, mask);
}

YM_EXPORT int ibv_destroy_qp(ibv_qp* qp) {
    --fake(qp->context)->objects;
    node().remove(*reinterpret_cast<FakeQp*>(qp));
    delete reinterpret_cast<FakeQp*>(qp);
    return 0;
}

int fake_post_send(ibv_qp* qp, ibv_send_wr* work, ibv_send_wr**) {
    return node().send(*reinterpret_cast<FakeQp*>(qp), *work);
}

int fake_post_recv(ibv_qp* qp, ibv_recv_wr*, ibv_recv_wr**) {
    ++reinterpret_cast<FakeQp*>(qp)->receives;
    return 0;
}

int fake_poll_cq(ibv_cq* cq, int most, ibv_wc* completions) {
    return node().poll(reinterpret_cast<FakeCq*>(cq)->queue, most, completions);
}
