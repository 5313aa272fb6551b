#include "healthcheck/rdma/open_devices.hpp"

namespace yardmaster {

VerbsDevice* OpenDevices::get(const RdmaPort& port, EndpointFailure& failure) {
    const auto known = devices_.find(port.device);
    if (known != devices_.end()) {
        return known->second.get();
    }
    on_step_("open " + port.device);
    auto device = verbs_.open(port.device);
    if (!device) {
        failure.error = device.status().message();
        return nullptr;
    }
    return devices_.emplace(port.device, std::move(device).value()).first->second.get();
}

}  // namespace yardmaster
