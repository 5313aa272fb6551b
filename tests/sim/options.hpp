// ym-sim-node's command line, as far as it is numbers and the options of `create`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "tests/sim/node_settings.hpp"

namespace yardmaster::sim {

using Arguments = std::vector<std::string>;

/// kInvalidArgument with `text`.
Status bad(const std::string& text);

/// Runs `use(n)` with the number in `text`, decimal or 0x...; kInvalidArgument when it is none.
Status with_number(const std::string& text, const std::function<Status(unsigned)>& use);

/// The settings that the options of `create` ask for: {"--gpus", "4", "--node", "n0"}.
Result<NodeSettings> parse_options(const Arguments& options);

}  // namespace yardmaster::sim
