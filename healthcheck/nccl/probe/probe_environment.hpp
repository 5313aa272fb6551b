// What the libraries of the NCCL probe get to see of the world.
#pragma once

#include <string>
#include <vector>

namespace yardmaster {

/// Clears the environment, whatever NCCL_*, CUDA_* and LD_* it holds, and sets what the probe
/// needs: CUDA_VISIBLE_DEVICES to the UUIDs, NCCL on this node only (bootstrap over the loopback,
/// no network plugin, no InfiniBand), and no configuration file of the user's. Call it before the
/// libraries are loaded.
void set_probe_environment(const std::vector<std::string>& uuids);

/// A fingerprint of the site's file for NCCL, which NCCL reads in any case; "" where there is none.
std::string site_conf_fingerprint(const std::string& file = "/etc/nccl.conf");

}  // namespace yardmaster
