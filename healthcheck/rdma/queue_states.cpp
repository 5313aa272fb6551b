#include "healthcheck/rdma/queue_states.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

constexpr std::uint8_t kHops = 64;       // RoCE v2: the IP header's TTL
constexpr std::uint8_t kRnrTimer = 12;   // 0.64 ms (IBTA table 45): one receive is always posted
constexpr std::uint8_t kRnrRetries = 6;  // 7 would be for ever

ibv_mtu mtu_code(unsigned bytes) {
    for (int code = IBV_MTU_4096; code > IBV_MTU_256; --code) {
        if (bytes >= 128U << code) {
            return static_cast<ibv_mtu>(code);
        }
    }
    return IBV_MTU_256;
}

/// InfiniBand goes by LID inside a subnet, and by GID where the port wants it or a router is
/// between.
ibv_ah_attr route_to(const RdmaAddress& peer,
                     const ConnectionRequest& request,
                     const RdmaAddress& own,
                     const RdmaPatience& patience) {
    const VerbsPort& port = request.port_facts;
    ibv_ah_attr route{};
    route.port_num = static_cast<std::uint8_t>(request.port);
    route.dlid = static_cast<std::uint16_t>(peer.lid);
    if (port.ethernet || port.grh_required || other_subnet(own.gid, peer.gid)) {
        route.is_global = 1;
        std::copy(peer.gid.begin(), peer.gid.end(), route.grh.dgid.raw);
        route.grh.sgid_index = static_cast<std::uint8_t>(request.gid.index);
        route.grh.hop_limit = kHops;
        route.grh.traffic_class = static_cast<std::uint8_t>(patience.traffic_class);
    }
    return route;
}

}  // namespace

QueueWish wish_for_init(const ConnectionRequest& request) {
    QueueWish wish{{},
                   IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
                   "ibv_modify_qp to INIT"};
    wish.attributes.qp_state = IBV_QPS_INIT;
    wish.attributes.port_num = static_cast<std::uint8_t>(request.port);
    wish.attributes.qp_access_flags = kRdmaAccess;
    return wish;
}

QueueWish wish_for_rtr(const ConnectionRequest& request,
                       const RdmaAddress& own,
                       const RdmaAddress& peer,
                       const RdmaPatience& patience) {
    QueueWish wish{{},
                   IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                       IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
                   "ibv_modify_qp to RTR"};
    wish.attributes.qp_state = IBV_QPS_RTR;
    wish.attributes.path_mtu = mtu_code(std::min(own.mtu_bytes, peer.mtu_bytes));
    wish.attributes.dest_qp_num = peer.queue_pair;
    wish.attributes.rq_psn = peer.packet_number;
    wish.attributes.max_dest_rd_atomic = 1;
    wish.attributes.min_rnr_timer = kRnrTimer;
    wish.attributes.ah_attr = route_to(peer, request, own, patience);
    return wish;
}

QueueWish wish_for_rts(const RdmaAddress& own, const RdmaPatience& patience) {
    QueueWish wish{{},
                   IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                       IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
                   "ibv_modify_qp to RTS"};
    wish.attributes.qp_state = IBV_QPS_RTS;
    wish.attributes.timeout = static_cast<std::uint8_t>(patience.timeout_exponent);
    wish.attributes.retry_cnt = static_cast<std::uint8_t>(std::min(patience.retries, kMostRetries));
    wish.attributes.rnr_retry = kRnrRetries;
    wish.attributes.sq_psn = own.packet_number;
    wish.attributes.max_rd_atomic = 1;
    return wish;
}

}  // namespace yardmaster
