// What becomes of a submission's hints: taken, or refused with a reason the user can act on.
#pragma once

#include <string>

#include "base/status.hpp"
#include "plugin/abi/slurm_abi.h"
#include "plugin/common/job_size.hpp"
#include "plugin/common/loaded_fabric.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

/// What the user said of the job's extent.
JobSize size_of(const ym_submission& submission);
/// The extent of the job: nodes only when the user fixed their number, GPUs per node only when they
/// are the same on every node.
JobShape shape_of(const ym_submission& submission);

/// Splits and checks --constraint, and looks for hints where none may stand. `fabric` may be null:
/// then only what can be said without one is checked.
/// Errors for the user's eyes: kInvalidArgument, kInfeasible.
Result<SplitConstraint> take_in(const ym_submission& submission, const LoadedFabric* fabric);

/// The checks of take_in for hints that a job has already.
Status check_hints(const Hints& hints, const ym_submission& submission, const LoadedFabric* fabric);

}  // namespace yardmaster
