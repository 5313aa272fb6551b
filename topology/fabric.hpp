// The fabric model: which GPUs share NVLink, which rail each GPU has, and which switches lie
// between.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.hpp"
#include "topology/ids.hpp"

namespace yardmaster {

/// One GPU's way out of its node.
struct Rail {
    std::string nic;  ///< RDMA device name as in /sys/class/infiniband, e.g. "mlx5_3"
    double gbps = 0;  ///< line rate of the port in Gb/s (400 for NDR)
};

/// What every node of one hardware type has.
struct NodeType {
    std::string name;
    std::uint16_t gpus = 0;             ///< GPUs per node; 0 for a CPU node
    double nvlink_gigabytes_per_s = 0;  ///< NVLink bandwidth per GPU and direction, GB/s; 0: none
    std::vector<Rail> rails;            ///< [gpu], one per GPU; empty: the node has no rails
};

/// GPU-to-NIC truth of one GPU of one node where it differs from the node's type.
struct RailException {
    GpuIndex gpu{};
    std::optional<Rail> rail;  ///< none: this GPU's NIC is missing
};

struct FabricNode {
    std::string name;
    std::uint32_t type = 0;         ///< index into Fabric::types()
    DomainIndex domain{};           ///< every node is in exactly one NVLink domain
    std::optional<UnitIndex> leaf;  ///< its leaf group; none: the file places it under no switch
    std::vector<RailException> exceptions;
};

/// GPUs of these nodes reach each other over NVLink.
struct NvlinkDomain {
    std::string name;
    std::vector<NodeIndex> nodes;  ///< ascending; a lone server is a domain of its own
};

/// A unit of the switch tree. Leaf groups hold nodes, all others hold units.
struct SwitchUnit {
    std::string name;
    std::optional<UnitIndex> parent;  ///< none: the root of a (possibly one of several) fabric
    std::vector<UnitIndex> children;  ///< in file order; empty for a leaf group
    std::vector<NodeIndex> nodes;     ///< a leaf group's own nodes, ascending; empty otherwise
    std::uint32_t tier = 0;  ///< 0 for a leaf group, else 1 + the highest tier among its children
    /// Bandwidth below this unit divided by the bandwidth of its uplinks, >= 1. Traffic that leaves
    /// the unit gets 1/oversubscription of the line rate.
    double oversubscription = 1;
};

/// An immutable, validated fabric. Safe to share between threads.
class Fabric {
  public:
    /// Reads a fabric file (format: docs/fabric-file.md). Errors name file, path in the document,
    /// value and remedy: kNotFound, kUnreadable, kMalformed, kUnsupported (another version).
    static Result<Fabric> load(const std::string& file);
    /// The same from text; `source` stands for the file name in messages.
    static Result<Fabric> parse(std::string_view json, std::string_view source);

    const std::vector<NodeType>& types() const { return types_; }
    const std::vector<FabricNode>& nodes() const { return nodes_; }
    const std::vector<NvlinkDomain>& domains() const { return domains_; }
    const std::vector<SwitchUnit>& units() const { return units_; }

    const FabricNode& node(NodeIndex i) const { return nodes_[raw(i)]; }
    const NodeType& type_of(NodeIndex i) const { return types_[nodes_[raw(i)].type]; }
    const NvlinkDomain& domain(DomainIndex i) const { return domains_[raw(i)]; }
    const SwitchUnit& unit(UnitIndex i) const { return units_[raw(i)]; }
    std::optional<NodeIndex> find(std::string_view node_name) const;

    /// The rail of GPU `gpu` on node `i`, exceptions applied; none: it has no NIC.
    std::optional<Rail> rail(NodeIndex i, GpuIndex gpu) const;
    /// GPUs in the largest NVLink domain of the fabric; 0 when no node has a GPU.
    std::uint32_t largest_domain_gpus() const;
    /// The unit at `tier` above (or at) leaf group `leaf`; none if the tree is not that high there.
    std::optional<UnitIndex> ancestor(UnitIndex leaf, std::uint32_t tier) const;

  private:
    friend class FabricBuilder;
    std::vector<NodeType> types_;
    std::vector<FabricNode> nodes_;
    std::vector<NvlinkDomain> domains_;
    std::vector<SwitchUnit> units_;
    std::unordered_map<std::string, NodeIndex> by_name_;
};

}  // namespace yardmaster
