// Whether hard hints can be kept with the nodes that a user names.
#pragma once

#include "base/status.hpp"
#include "plugin/abi/slurm_abi.h"
#include "plugin/common/loaded_fabric.hpp"
#include "topology/hints.hpp"

namespace yardmaster {

/// Whether any nodes of the fabric, were all of them free, keep the hard `hints` of a job of
/// `shape` with every node of --nodelist and none of --exclude: a job for which there are none
/// would wait for ever. What is wrong for Slurm too (a bad list, more nodes than the job takes, a
/// required node with too few GPUs) is left to Slurm. kInfeasible, for the user's eyes, names the
/// option.
Status check_named_nodes(const Hints& hints,
                         const ym_submission& submission,
                         const JobShape& shape,
                         const LoadedFabric& loaded);

}  // namespace yardmaster
