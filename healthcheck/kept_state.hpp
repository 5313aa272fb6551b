// What a check run leaves in the state folder for later runs.
#pragma once

#include "healthcheck/checks.hpp"

namespace yardmaster {

/// Whether keep_state would have something to write: most checks leave everything where it is.
bool state_moves(const Report& report, const CheckSources& sources);

/// Whether the counters' part of it would: some grew, or have no baseline yet.
bool counters_move(const Report& report);

/// Keeps counters, passes and measured bandwidths, one file each, in `sources.state_dir`. May block
/// as long as the file system does: call it in a child after the verdict. The first error, after
/// all files have been tried: as write_state.
Status keep_state(const Report& report, const CheckSources& sources);

/// The counters' part of it (next_baseline).
Status keep_counters(const Report& report, const CheckSources& sources);

}  // namespace yardmaster
