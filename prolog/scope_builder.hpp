// From the fabric file to what one job's check expects.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/scope.hpp"
#include "topology/fabric.hpp"

namespace yardmaster {

/// GPUs to be checked, as gres indices (which the fabric file equates with device minors).
struct ScopeRequest {
    std::string node;
    std::uint32_t job = 0;  ///< 0: a check by hand
    std::vector<unsigned> gpus;
    bool mig = false;
};

/// The scope of `request`: its GPUs, and their rails where `fabric` knows the node. Rails that
/// cannot be had leave a note in `rails_unknown`; so does a `fabric` that is an error.
CheckScope build_scope(const ScopeRequest& request, const Result<Fabric>& fabric);

}  // namespace yardmaster
