// What one simulated node has: given at creation, kept in DIR/node.json so that `heal` can restore
// it.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"

namespace yardmaster::sim {

struct NodeSettings {
    std::string node = "sim0";
    std::string model = "h100-hgx";  ///< a name of model.hpp
    std::vector<unsigned> minors;    ///< [NVML index] device minor of each GPU
    std::vector<std::string> rails;  ///< [minor] RDMA device of each GPU's rail
    double rail_gbps = 400;
    unsigned virtual_functions = 0;          ///< of every rail's NIC
    bool two_ports = false;                  ///< rail NICs have a second port, switched off
    std::string storage = "mlx5_8";          ///< 200 Gb/s InfiniBand, no rail; "": none
    std::string management = "mlx5_bond_0";  ///< 25 Gb/s Ethernet bond, no rail; "": none
    std::string wire;  ///< a folder through which nodes reach each other's rails; "": they do not
    std::string library;  ///< the built fake NVML that DIR/nvml/libnvidia-ml.so.1 links to
};

/// A node of model h100-hgx with rails mlx5_0 to mlx5_7.
NodeSettings default_settings();
/// Makes it a node of `model`: its number of GPUs, its rails' speed. kInvalidArgument when there is
/// no such model.
Status set_model(NodeSettings& settings, const std::string& model);
/// Gives the node `count` GPUs in NVML order, with as many default rail names.
void set_gpus(NodeSettings& settings, unsigned count);

Result<NodeSettings> load_settings(const std::string& file);
Status save_settings(const NodeSettings& settings, const std::string& file);

}  // namespace yardmaster::sim
