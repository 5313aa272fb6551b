// A bundle for people: what was read, expected and concluded, object by object, and what was done.
#pragma once

#include <ostream>
#include <string>

#include "healthcheck/evidence.hpp"

namespace yardmaster::cli {

void print_evidence(const Evidence& evidence, const std::string& file, std::ostream& out);

}  // namespace yardmaster::cli
