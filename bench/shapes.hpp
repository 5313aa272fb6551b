// Generated fabrics that benchmarks run on.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/fabric_builder.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

/// The benchmark has no one to report to.
template <typename T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "bench: %s\n", result.status().message().c_str());
        std::abort();
    }
    return std::move(result).value();
}
inline void must(const Status& status) {
    if (!status) {
        std::fprintf(stderr, "bench: %s\n", status.message().c_str());
        std::abort();
    }
}

struct Shape {
    const char* name;
    std::uint16_t gpus;
    std::uint32_t leaf_nodes;    ///< nodes per leaf group
    std::uint32_t domain_nodes;  ///< nodes per NVLink domain
    std::uint32_t pod_leaves;    ///< leaf groups per pod
    const char* hints;
};
/// HGX: leaf groups of 32 servers, pods of 8. HgxSmall: many small leaf groups. NVL72: racks of 18.
inline constexpr Shape kShapes[] = {
    {"Hgx", 8, 32, 1, 8, "tp8"},
    {"HgxSmall", 8, 4, 1, 16, "tp8"},
    {"HgxFlat", 8, 4, 1, 100000, "tp8"},
    {"Nvl72", 4, 72, 18, 8, "tp16"},
};

inline Fabric make_fabric(const Shape& shape, std::uint32_t nodes) {
    FabricBuilder builder;
    must(builder.add_type({"t", shape.gpus, 450, {}}));
    const UnitIndex core = must(builder.add_unit("core", std::nullopt, 1));
    UnitIndex pod = core;
    for (std::uint32_t first = 0, leaf = 0; first < nodes; first += shape.leaf_nodes, ++leaf) {
        if (leaf % shape.pod_leaves == 0) {
            pod = must(builder.add_unit("pod" + std::to_string(leaf), core, 2));
        }
        std::vector<std::string> names;
        for (std::uint32_t i = first; i < std::min(nodes, first + shape.leaf_nodes); ++i) {
            names.push_back("n" + std::to_string(i));
        }
        must(builder.add_nodes(names, "t"));
        must(builder.add_leaf_nodes(must(builder.add_unit("leaf" + std::to_string(leaf), pod, 1)),
                                    names));
        for (std::size_t i = 0; i < names.size() && shape.domain_nodes > 1;
             i += shape.domain_nodes) {
            const std::size_t end = std::min(names.size(), i + shape.domain_nodes);
            must(builder.add_domain("rack" + names[i],
                                    {names.begin() + static_cast<std::ptrdiff_t>(i),
                                     names.begin() + static_cast<std::ptrdiff_t>(end)}));
        }
    }
    return must(std::move(builder).build());
}

}  // namespace yardmaster
