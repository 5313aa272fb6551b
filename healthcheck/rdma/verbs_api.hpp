// The part of libibverbs that the RDMA check uses, behind an interface: the library is only ever
// loaded at run time, and a node without it is a node whose RDMA was not measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "healthcheck/rdma/gid_choice.hpp"
#include "healthcheck/rdma/rdma_address.hpp"
#include "healthcheck/rdma/rdma_buffer.hpp"

namespace yardmaster {

/// What ibv_query_port says of a port.
struct VerbsPort {
    bool active = false;        ///< IBV_PORT_ACTIVE
    bool ethernet = false;      ///< link layer Ethernet (RoCE); else InfiniBand
    bool grh_required = false;  ///< IBV_QPF_GRH_REQUIRED: InfiniBand that needs a global address
    unsigned lid = 0;           ///< InfiniBand's local address; 0 on RoCE
    unsigned mtu_bytes = 0;     ///< active MTU
};

/// ibv_wc_status values that a judgement depends on (verbs.h, enum ibv_wc_status).
enum WcStatus : int {
    kWcSuccess = 0,
    kWcFlushed = 5,         ///< IBV_WC_WR_FLUSH_ERR: follows the error that broke the queue
    kWcRetryExceeded = 12,  ///< IBV_WC_RETRY_EXC_ERR: no answer from the other side
};

/// One completed request.
struct RdmaCompletion {
    int status = kWcSuccess;  ///< enum ibv_wc_status
    bool received = false;  ///< a notice of the other side has arrived; else a write of ours ended
};

/// How hard a connection tries before it reports an error.
struct RdmaPatience {
    /// Local ACK timeout is 4.096 us * 2^exponent (InfiniBand spec 1, 9.7.6.1.3); a NIC may wait up
    /// to four times that. 14 is 67 ms.
    unsigned timeout_exponent = 14;
    /// Never 7: some drivers take that for "for ever". With exponent 14 an unreachable peer is
    /// reported after 0.3 to 1.1 s.
    unsigned retries = 3;
    unsigned traffic_class = 0;  ///< RoCE: the DSCP and ECN byte
};
inline constexpr unsigned kMostRetries = 6;

/// One side of a reliable connection: protection domain, memory region, completion queue and queue
/// pair. All of it is given back at its end, whatever state it is in. Calls may block for as long
/// as the driver does.
class VerbsConnection {
  public:
    virtual ~VerbsConnection() = default;
    /// What the other side must know to connect.
    virtual const RdmaAddress& address() const = 0;
    /// Brings the queue pair to RTS. kTimeout: the peer's network address does not resolve;
    /// kUnavailable: any other refusal, with the call and the system's reason.
    virtual Status connect(const RdmaAddress& peer, const RdmaPatience& patience) = 0;
    /// Writes `bytes` at `offset` of the own buffer to the same offset of the peer's. `notice`: the
    /// peer gets a completion too, once the data have arrived.
    virtual Status post_write(std::size_t offset, std::size_t bytes, bool notice) = 0;
    /// Makes ready for one notice of the peer.
    virtual Status post_receive() = 0;
    /// Takes what is completed into `completions`; how many, or kUnavailable.
    virtual Result<std::size_t> poll(std::span<RdmaCompletion> completions) = 0;
};

/// What a connection is made for.
struct ConnectionRequest {
    unsigned port = 1;
    VerbsPort port_facts;
    GidEntry gid;         ///< of no meaning when `port_facts` needs no global address
    RdmaBuffer* buffer;   ///< borrowed; outlives the connection
    unsigned depth = 16;  ///< writes that may be under way
};

/// An open device. Connections must go before it.
class VerbsDevice {
  public:
    virtual ~VerbsDevice() = default;
    virtual std::string firmware() = 0;  ///< ibv_query_device; "" when it fails
    virtual Result<VerbsPort> port(unsigned port) = 0;
    /// The port's valid entries (an all-zero GID is none), by index.
    virtual Result<std::vector<GidEntry>> gids(unsigned port) = 0;
    virtual Result<std::unique_ptr<VerbsConnection>> connection(const ConnectionRequest& r) = 0;
};

class VerbsApi {
  public:
    virtual ~VerbsApi() = default;
    /// Loads the library. kNotFound when it, or a function in it, is not there.
    virtual Status init() = 0;
    virtual Result<std::vector<std::string>> devices() = 0;  ///< ibv_get_device_list, sorted
    /// kNotFound, or kUnavailable with the system's reason.
    virtual Result<std::unique_ptr<VerbsDevice>> open(const std::string& device) = 0;
    virtual std::string status_text(int wc_status) = 0;  ///< ibv_wc_status_str
    /// The clock to measure by: the steady clock, except that simulated hardware brings its own.
    virtual std::chrono::nanoseconds now() = 0;
};

/// libibverbs from `library` (a name or a path for dlopen). Loading is put off to init().
std::unique_ptr<VerbsApi> make_verbs(const std::string& library);

}  // namespace yardmaster
