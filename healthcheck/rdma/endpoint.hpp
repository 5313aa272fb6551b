// One end of a measurement: a port with its chosen GID, a buffer and a connection.
#pragma once

#include <cstdint>
#include <memory>

#include "healthcheck/rdma/rdma_reading.hpp"
#include "healthcheck/rdma/verbs_api.hpp"

namespace yardmaster {

struct EndpointRequest {
    RdmaPort port;
    std::size_t buffer_bytes = 8 << 20;
    unsigned depth = 8;
    /// Where it can be had; host memory otherwise, and the reading's `memory` says so.
    bool gpu_memory = false;
    std::string cuda_library = "libcuda.so.1";
    std::string sysfs_root = "/sys";
};

/// Why an endpoint could not be made.
struct EndpointFailure {
    RdmaOutcome outcome = RdmaOutcome::kFailed;
    std::string error;
};

/// An end that is ready to be connected: on the same node its address goes to the other end through
/// memory, between nodes as to_json(RdmaAddress).
class RdmaEndpoint {
  public:
    /// Makes the end on an open device, and fills in `reading` as far as it comes. None with
    /// `failure`: the port is down, has no GID, or a call failed.
    static std::optional<RdmaEndpoint> open(VerbsDevice& device,
                                            const EndpointRequest& request,
                                            RdmaEndReading& reading,
                                            EndpointFailure& failure);

    const RdmaAddress& address() const { return connection_->address(); }
    VerbsConnection& connection() { return *connection_; }
    RdmaBuffer& buffer() { return *buffer_; }

  private:
    static Result<RdmaEndpoint> make(VerbsDevice& device,
                                     const EndpointRequest& request,
                                     const VerbsPort& port,
                                     const GidEntry& gid,
                                     bool on_gpu);
    RdmaEndpoint(std::unique_ptr<RdmaBuffer> buffer, std::unique_ptr<VerbsConnection> connection)
        : buffer_(std::move(buffer)), connection_(std::move(connection)) {}

    std::unique_ptr<RdmaBuffer> buffer_;  // before the connection: it goes after it
    std::unique_ptr<VerbsConnection> connection_;
};

/// The seed of what `sender` sends: both sides know its address, and no two connections share it.
std::uint64_t pattern_seed(const RdmaAddress& sender);

/// Reads the port's sysfs `rate` and the PCIe link of its device into `reading`.
void read_port_hardware(const std::string& sysfs_root, RdmaEndReading& reading);

}  // namespace yardmaster
