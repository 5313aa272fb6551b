// Makes fabrics for tests without a file.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "topology/fabric_builder.hpp"

namespace yardmaster::testing_support {

class FabricMaker {
  public:
    explicit FabricMaker(std::uint16_t gpus = 8, bool rails = false) {
        NodeType type;
        type.name = "t";
        type.gpus = gpus;
        type.nvlink_gigabytes_per_s = 450;
        for (std::uint16_t i = 0; i < gpus && rails; ++i) {
            type.rails.push_back({"mlx5_" + std::to_string(i), 400});
        }
        check(builder_.add_type(type));
    }

    /// `count` new nodes; their names.
    std::vector<std::string> nodes(std::uint32_t count) {
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < count; ++i) {
            names.push_back("n" + std::to_string(next_node_++));
        }
        check(builder_.add_nodes(names, "t"));
        return names;
    }
    UnitIndex unit(std::optional<UnitIndex> parent = std::nullopt, double oversubscription = 1) {
        auto unit = builder_.add_unit("u" + std::to_string(next_unit_++), parent, oversubscription);
        check(unit.status());
        return *unit;
    }
    /// A leaf group of new nodes.
    std::vector<std::string> leaf(std::optional<UnitIndex> parent,
                                  std::uint32_t count,
                                  double oversubscription = 1) {
        const std::vector<std::string> names = nodes(count);
        attach(unit(parent, oversubscription), names);
        return names;
    }
    void attach(UnitIndex leaf, const std::vector<std::string>& names) {
        check(builder_.add_leaf_nodes(leaf, names));
    }
    void domain(const std::vector<std::string>& names) {
        check(builder_.add_domain("d" + std::to_string(next_domain_++), names));
    }
    void exception(const std::string& node, std::uint16_t gpu, std::optional<Rail> rail) {
        check(builder_.add_exception(node, {GpuIndex{gpu}, std::move(rail)}));
    }
    Fabric make() {
        auto fabric = std::move(builder_).build();
        check(fabric.status());
        return std::move(fabric).value();
    }

  private:
    static void check(const Status& status) { ASSERT_TRUE(status) << status.message(); }
    FabricBuilder builder_;
    int next_node_ = 0;
    int next_unit_ = 0;
    int next_domain_ = 0;
};

}  // namespace yardmaster::testing_support
