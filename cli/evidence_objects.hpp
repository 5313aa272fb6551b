// What a report tells of each of its objects: rails, GPUs, and what findings name besides.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/checks.hpp"

namespace yardmaster::cli {

/// One object in words.
struct ObjectStory {
    std::string object;     ///< "mlx5_3", "GPU2"; "node" for what concerns no single object
    std::string expected;   ///< "400 Gb/s"
    std::string read;       ///< "4: ACTIVE, 5: LinkUp, 100 Gb/sec (4X EDR), PCIe x16 of x16"
    std::string concluded;  ///< "as expected", or the signs found: "port.rate"
};

/// The scope's rails, its GPUs, then other objects with findings.
std::vector<ObjectStory> object_stories(const Report& report);

}  // namespace yardmaster::cli
