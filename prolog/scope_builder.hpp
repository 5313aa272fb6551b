// From the fabric file to what one job's check expects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "healthcheck/scope.hpp"
#include "prolog/gpu_files.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// GPUs to be checked, as gres indices: the fabric file's rails are by these, devices by `order`.
struct ScopeRequest {
    std::string node;
    std::uint32_t job = 0;  ///< 0: a check by hand
    std::vector<unsigned> gpus;
    bool mig = false;
    GpuOrder order{GpuNumbering::kMinorOrNvml, {}, 0, ""};
};

/// The scope of `request`: its GPUs, and their rails where `fabric` knows the node. Rails that
/// cannot be had leave a note in `rails_unknown`; so does a `fabric` that is an error.
CheckScope build_scope(const ScopeRequest& request, const Result<Fabric>& fabric);

}  // namespace yardmaster
