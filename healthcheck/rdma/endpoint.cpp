#include "healthcheck/rdma/endpoint.hpp"

#include "healthcheck/rdma/gpu_buffer.hpp"

namespace yardmaster {
namespace {

/// The GID to connect with, or none with what is wrong. InfiniBand has one at index 0, of which
/// only the subnet's prefix matters, and needs it only where a global address is required.
std::optional<GidEntry> choose_gid(VerbsDevice& device,
                                   const VerbsPort& port,
                                   RdmaEndReading& reading,
                                   EndpointFailure& failure) {
    const auto entries = device.gids(reading.port.port);
    if (!port.ethernet) {
        return entries && !entries->empty() ? entries->front() : GidEntry{};
    }
    if (!entries) {
        failure.error = entries.status().message();
        return std::nullopt;
    }
    const auto chosen = choose_roce_gid(*entries);
    reading.gid_scope = to_string(chosen ? scope_of(chosen->gid) : GidScope::kNone);
    if (!chosen) {
        failure = {RdmaOutcome::kNoGid,
                   port_name(reading.port) + " is active but has no RoCE v2 GID with an address (" +
                       std::to_string(entries->size()) +
                       " entries): has its network interface lost its address?"};
    }
    return chosen;
}

void note_gid(const GidEntry& gid, const VerbsPort& port, RdmaEndReading& reading) {
    if (port.ethernet || port.grh_required) {
        reading.gid_index = gid.index;
        reading.gid = gid_text(gid.gid);
    }
}

Result<std::unique_ptr<RdmaBuffer>> make_buffer(const EndpointRequest& request, bool on_gpu) {
    return on_gpu ? make_gpu_buffer({request.cuda_library, request.sysfs_root},
                                    request.port.device,
                                    request.buffer_bytes)
                  : make_host_buffer(request.sysfs_root, request.port.device, request.buffer_bytes);
}

/// Whether the port is fit for a connection; fills in what was read of it.
bool usable(const Result<VerbsPort>& port, RdmaEndReading& reading, EndpointFailure& failure) {
    if (!port) {
        failure.error = port.status().message();
        return false;
    }
    reading.ethernet = port->ethernet;
    reading.mtu_bytes = port->mtu_bytes;
    if (!port->active) {
        failure = {RdmaOutcome::kPortDown, port_name(reading.port) + " is not active"};
    }
    return port->active;
}

}  // namespace

std::optional<RdmaEndpoint> RdmaEndpoint::open(VerbsDevice& device,
                                               const EndpointRequest& request,
                                               RdmaEndReading& reading,
                                               EndpointFailure& failure) {
    reading.port = request.port;
    reading.firmware = device.firmware();
    read_port_hardware(request.sysfs_root, reading);
    const auto port = device.port(request.port.port);
    if (!usable(port, reading, failure)) {
        return std::nullopt;
    }
    const auto gid = choose_gid(device, *port, reading, failure);
    if (!gid) {
        return std::nullopt;
    }
    note_gid(*gid, *port, reading);
    if (request.gpu_memory) {
        auto end = make(device, request, *port, *gid, true);
        if (end) {
            reading.memory = end->buffer().dmabuf() >= 0 ? "gpu dmabuf" : "gpu peermem";
            return std::move(end).value();
        }
        reading.memory = "host (" + end.status().message() + ")";
    } else {
        reading.memory = "host";
    }
    auto end = make(device, request, *port, *gid, false);
    if (!end) {
        failure.error = end.status().message();
        return std::nullopt;
    }
    return std::move(end).value();
}

Result<RdmaEndpoint> RdmaEndpoint::make(VerbsDevice& device,
                                        const EndpointRequest& request,
                                        const VerbsPort& port,
                                        const GidEntry& gid,
                                        bool on_gpu) {
    auto buffer = make_buffer(request, on_gpu);
    if (!buffer) {
        return buffer.status();
    }
    auto connection =
        device.connection({request.port.port, port, gid, buffer->get(), request.depth});
    if (!connection) {
        return connection.status();
    }
    return RdmaEndpoint(std::move(buffer).value(), std::move(connection).value());
}

std::uint64_t pattern_seed(const RdmaAddress& sender) {
    return std::uint64_t{sender.queue_pair} << 32 | sender.packet_number;
}

}  // namespace yardmaster
