// The part of the cause table that is about GPUs and their NVLinks.
#pragma once

#include <vector>

#include "healthcheck/cause_table.hpp"

namespace yardmaster {

const std::vector<CauseText>& gpu_causes();

}  // namespace yardmaster
