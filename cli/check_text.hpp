// A check's report for people: the readings, the findings, the verdict.
#pragma once

#include <ostream>
#include <string>

#include "healthcheck/checks.hpp"

namespace yardmaster::cli {

/// "18 of 18": active NVLinks of those that the GPU has; "-" when it has none.
std::string nvlinks_text(const GpuReading& gpu);

void print_report(const Report& report, std::ostream& out);

}  // namespace yardmaster::cli
