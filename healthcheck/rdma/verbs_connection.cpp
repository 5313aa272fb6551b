#include "healthcheck/rdma/verbs_connection.hpp"

#include <algorithm>
#include <cerrno>
#include <random>

#include "healthcheck/rdma/queue_states.hpp"

namespace yardmaster {
namespace {

constexpr std::uint32_t kNumber24 = 0xffffff;
constexpr unsigned kReceives = 1;
constexpr std::size_t kPollAtOnce = 32;

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
        return modify(wish_for_init(request_));
    }

    const RdmaAddress& address() const override { return address_; }

    Status connect(const RdmaAddress& peer, const RdmaPatience& patience) override {
        peer_ = peer;
        Status status = modify(wish_for_rtr(request_, address_, peer, patience));
        return status ? modify(wish_for_rts(address_, patience)) : status;
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
            mr_ = library_.reg_mr(pd_, buffer.address(), buffer.bytes(), kRdmaAccess);
            return mr_ != nullptr ? Status::ok() : failed("ibv_reg_mr");
        }
        if (library_.reg_dmabuf_mr == nullptr) {
            return {ErrorCode::kUnavailable, "libibverbs has no ibv_reg_dmabuf_mr (rdma-core 34)"};
        }
        const auto address = reinterpret_cast<std::uint64_t>(buffer.address());
        mr_ = library_.reg_dmabuf_mr(pd_, 0, buffer.bytes(), address, buffer.dmabuf(), kRdmaAccess);
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

    Status modify(QueueWish wish) {
        const int code = library_.modify_qp(qp_, &wish.attributes, wish.mask);
        return code == 0 ? Status::ok() : failed(wish.what, code);
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
