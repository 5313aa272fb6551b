// Host list expressions by Slurm's own rules: libslurm's public hostlist functions, wrapped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// "yard[01-03],gpu7" -> {"yard01", "yard02", "yard03", "gpu7"}. kMalformed for a bad expression or
/// more than `limit` names; "" gives an empty list.
Result<std::vector<std::string>> expand_hostlist(std::string_view expression,
                                                 std::size_t limit = 200000);

/// The shortest expression Slurm writes for `names`, in the order given: {"a1", "a2"} -> "a[1-2]".
std::string compress_hostlist(const std::vector<std::string>& names);

}  // namespace yardmaster
