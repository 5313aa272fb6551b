// A check's report for people: the readings, the findings, the verdict.
#pragma once

#include <ostream>

#include "healthcheck/checks.hpp"

namespace yardmaster::cli {

void print_report(const Report& report, std::ostream& out);

}  // namespace yardmaster::cli
