// Devices that stay open for a whole measurement: opening one may take longer than using it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "healthcheck/rdma/endpoint.hpp"

namespace yardmaster {

class OpenDevices {
  public:
    /// `on_step` hears "open mlx5_3" before that is done. Both are borrowed.
    OpenDevices(VerbsApi& verbs, const std::function<void(const std::string&)>& on_step)
        : verbs_(verbs), on_step_(on_step) {}

    /// The device of `port`, opened when it is not yet; nullptr with `failure`.
    VerbsDevice* get(const RdmaPort& port, EndpointFailure& failure);

  private:
    VerbsApi& verbs_;
    const std::function<void(const std::string&)>& on_step_;
    std::map<std::string, std::unique_ptr<VerbsDevice>> devices_;
};

}  // namespace yardmaster
