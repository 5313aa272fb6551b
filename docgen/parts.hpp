// The parts of docs/*.md that are written from the code. In a page a part stands between
// "<!-- generated: NAME -->" and "<!-- end -->".
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"

namespace yardmaster::docgen {

/// What belongs between the marks of part `name`, as Markdown. Errors: kNotFound.
Result<std::string> make_part(std::string_view name);

/// `page` with all its parts written anew. Errors: kNotFound (a part's name), kMalformed (a mark
/// without its end).
Result<std::string> fill_page(std::string_view page);

// The parts.
std::string policy_keys_part();
std::string commands_part();
std::string command_environment_part();
std::string prolog_environment_part();
std::string drain_reason_part();
std::string drain_causes_part();
std::string rdma_probe_part();
std::string nccl_probe_part();
std::string crossnode_probe_part();

}  // namespace yardmaster::docgen
