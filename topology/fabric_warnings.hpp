// What is legal in a fabric file but rarely meant, for `yardmaster fabric check`.
#pragma once

#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace yardmaster {

/// One sentence for each thing an admin should look at, naming the objects and what follows from
/// it; empty for a fabric without oddities. In a fixed order, so that outputs can be compared.
std::vector<std::string> fabric_warnings(const Fabric& fabric);

}  // namespace yardmaster
