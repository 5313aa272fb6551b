// The form of a host list expression, checked before libslurm sees it: libslurm expands first and
// asks later ("n[0-65535]x[0-65535]" costs it gigabytes), and logs what it dislikes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// The comma-separated items of `expression`, commas inside [] left alone, blanks around them
/// trimmed, empty ones dropped. Views into `expression`. kMalformed for unbalanced brackets.
Result<std::vector<std::string_view>> split_hostlist(std::string_view expression);

/// How many names `item` (one of split_hostlist's) stands for, without expanding it. kMalformed for
/// characters that no host name has, bad ranges, and more than `limit` names.
Result<std::size_t> count_hosts(std::string_view item, std::size_t limit);

}  // namespace yardmaster
