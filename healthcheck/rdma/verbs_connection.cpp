#include "healthcheck/rdma/verbs_connection.hpp"

#include <algorithm>
#include <cerrno>
#include <random>

namespace yardmaster {
namespace {

constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
constexpr std::uint32_t kNumber24 = 0xffffff;
constexpr unsigned kReceives = 1;
constexpr std::size_t kPollAtOnce = 32;
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

class Connection : public VerbsConnection {
  public:
    Connection(const VerbsLibrary& library, std::string device, const ConnectionRequest& request)
        : library_(library), device_(std::move(device)), request_(request) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override {
        if (qp_ != nullptr) {
            library_.destroy_qp(qp_);
        }
        if (cq_ != nullptr) {
            library_.destroy_cq(cq_);
        }
        if (mr_ != nullptr) {
            library_.dereg_mr(mr_);
        }
        if (pd_ != nullptr) {
            library_.dealloc_pd(pd_);
        }
    }

    Status make(ibv_context* context) {
        pd_ = library_.alloc_pd(context);
        if (pd_ == nullptr) {
            return failed("ibv_alloc_pd");
        }
        if (Status status = register_buffer(); !status) {
            return status;
        }
        const int entries = static_cast<int>(request_.depth + kReceives);
        cq_ = library_.create_cq(context, entries, nullptr, nullptr, 0);
        if (cq_ == nullptr) {
            return failed("ibv_create_cq");
        }
        if (Status status = create_queue(); !status) {
            return status;
        }
        describe();
        return to_init();
    }

    const RdmaAddress& address() const override { return address_; }

    Status connect(const RdmaAddress& peer, const RdmaPatience& patience) override {
        peer_ = peer;
        if (Status status = to_ready_to_receive(patience); !status) {
            return status;
        }
        return to_ready_to_send(patience);
    }

    Status post_write(std::size_t offset, std::size_t bytes, bool notice) override {
        ibv_sge piece{
            address_.buffer_address + offset, static_cast<std::uint32_t>(bytes), mr_->lkey};
        ibv_send_wr work{};
        work.sg_list = &piece;
        work.num_sge = 1;
        work.opcode = notice ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE;
        work.send_flags = IBV_SEND_SIGNALED;
        work.wr.rdma.remote_addr = peer_.buffer_address + offset;
        work.wr.rdma.rkey = peer_.buffer_key;
        ibv_send_wr* bad = nullptr;
        const int code = ibv_post_send(qp_, &work, &bad);
        return code == 0 ? Status::ok() : failed("ibv_post_send", code);
    }

    Status post_receive() override {
        ibv_recv_wr work{};  // a write with immediate data takes a request but none of its memory
        ibv_recv_wr* bad = nullptr;
        const int code = ibv_post_recv(qp_, &work, &bad);
        return code == 0 ? Status::ok() : failed("ibv_post_recv", code);
    }

    Result<std::size_t> poll(std::span<RdmaCompletion> completions) override {
        ibv_wc taken[kPollAtOnce];
        const int most = static_cast<int>(std::min(completions.size(), kPollAtOnce));
        const int count = ibv_poll_cq(cq_, most, taken);
        if (count < 0) {
            return failed("ibv_poll_cq");
        }
        for (int i = 0; i < count; ++i) {
            // The opcode is valid only with success; only receives bear this flag.
            const bool received =
                taken[i].status == IBV_WC_SUCCESS && (taken[i].opcode & IBV_WC_RECV) != 0;
            completions[static_cast<std::size_t>(i)] = {taken[i].status, received};
        }
        return static_cast<std::size_t>(count);
    }

  private:
    Status failed(const char* call, int code = errno) const {
        return {code == ETIMEDOUT || code == EHOSTUNREACH || code == ENETUNREACH
                    ? ErrorCode::kTimeout
                    : ErrorCode::kUnavailable,
                verbs_failure(call, device_, code)};
    }

    Status register_buffer() {
        RdmaBuffer& buffer = *request_.buffer;
        if (buffer.dmabuf() < 0) {
            mr_ = library_.reg_mr(pd_, buffer.address(), buffer.bytes(), kAccess);
            return mr_ != nullptr ? Status::ok() : failed("ibv_reg_mr");
        }
        if (library_.reg_dmabuf_mr == nullptr) {
            return {ErrorCode::kUnavailable, "libibverbs has no ibv_reg_dmabuf_mr (rdma-core 34)"};
        }
        const auto address = reinterpret_cast<std::uint64_t>(buffer.address());
        mr_ = library_.reg_dmabuf_mr(pd_, 0, buffer.bytes(), address, buffer.dmabuf(), kAccess);
        return mr_ != nullptr ? Status::ok() : failed("ibv_reg_dmabuf_mr");
    }

    Status create_queue() {
        ibv_qp_init_attr wish{};
        wish.send_cq = cq_;
        wish.recv_cq = cq_;
        wish.cap = {request_.depth, kReceives, 1, 1, 0};
        wish.qp_type = IBV_QPT_RC;
        qp_ = library_.create_qp(pd_, &wish);
        return qp_ != nullptr ? Status::ok() : failed("ibv_create_qp");
    }

    void describe() {
        std::random_device random;
        address_.queue_pair = qp_->qp_num;
        address_.packet_number = random() & kNumber24;
        address_.lid = request_.port_facts.lid;
        address_.gid = request_.gid.gid;
        address_.mtu_bytes = request_.port_facts.mtu_bytes;
        address_.buffer_address = reinterpret_cast<std::uint64_t>(request_.buffer->address());
        address_.buffer_bytes = request_.buffer->bytes();
        address_.buffer_key = mr_->rkey;
    }

    Status modify(ibv_qp_attr& wish, int mask, const char* what) {
        const int code = library_.modify_qp(qp_, &wish, mask);
        return code == 0 ? Status::ok() : failed(what, code);
    }

    Status to_init() {
        ibv_qp_attr wish{};
        wish.qp_state = IBV_QPS_INIT;
        wish.port_num = static_cast<std::uint8_t>(request_.port);
        wish.qp_access_flags = kAccess;
        return modify(wish,
                      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
                      "ibv_modify_qp to INIT");
    }

    ibv_ah_attr route(const RdmaPatience& patience) const {
        const VerbsPort& port = request_.port_facts;
        ibv_ah_attr route{};
        route.port_num = static_cast<std::uint8_t>(request_.port);
        route.dlid = static_cast<std::uint16_t>(peer_.lid);
        if (port.ethernet || port.grh_required || other_subnet(address_.gid, peer_.gid)) {
            route.is_global = 1;
            std::copy(peer_.gid.begin(), peer_.gid.end(), route.grh.dgid.raw);
            route.grh.sgid_index = static_cast<std::uint8_t>(request_.gid.index);
            route.grh.hop_limit = kHops;
            route.grh.traffic_class = static_cast<std::uint8_t>(patience.traffic_class);
        }
        return route;
    }

    Status to_ready_to_receive(const RdmaPatience& patience) {
        ibv_qp_attr wish{};
        wish.qp_state = IBV_QPS_RTR;
        wish.path_mtu = mtu_code(std::min(address_.mtu_bytes, peer_.mtu_bytes));
        wish.dest_qp_num = peer_.queue_pair;
        wish.rq_psn = peer_.packet_number;
        wish.max_dest_rd_atomic = 1;
        wish.min_rnr_timer = kRnrTimer;
        wish.ah_attr = route(patience);
        return modify(wish,
                      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
                      "ibv_modify_qp to RTR");
    }

    Status to_ready_to_send(const RdmaPatience& patience) {
        ibv_qp_attr wish{};
        wish.qp_state = IBV_QPS_RTS;
        wish.timeout = static_cast<std::uint8_t>(patience.timeout_exponent);
        wish.retry_cnt = static_cast<std::uint8_t>(std::min(patience.retries, kMostRetries));
        wish.rnr_retry = kRnrRetries;
        wish.sq_psn = address_.packet_number;
        wish.max_rd_atomic = 1;
        return modify(wish,
                      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                          IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
                      "ibv_modify_qp to RTS");
    }

    const VerbsLibrary& library_;
    std::string device_;
    ConnectionRequest request_;
    RdmaAddress address_;
    RdmaAddress peer_;
    ibv_pd* pd_ = nullptr;
    ibv_mr* mr_ = nullptr;
    ibv_cq* cq_ = nullptr;
    ibv_qp* qp_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<VerbsConnection>> make_connection(const VerbsLibrary& library,
                                                         ibv_context* context,
                                                         const std::string& device,
                                                         const ConnectionRequest& request) {
    auto connection = std::make_unique<Connection>(library, device, request);
    if (Status status = connection->make(context); !status) {
        return status;
    }
    return std::unique_ptr<VerbsConnection>(std::move(connection));
}

}  // namespace yardmaster
