/*
 * The series of Slurm that this build is for: its types, its own select operations and the
 * handful of functions ym_series_* over what differs between series. series.cmake says which file
 * serves which series and defines YM_SERIES_HEADER. Everything else in plugin/abi is the same for
 * all of them. Include it after slurm_xlator.h, which renames Slurm's functions for plugins.
 */
#ifndef YARDMASTER_PLUGIN_ABI_SERIES_H
#define YARDMASTER_PLUGIN_ABI_SERIES_H

#include "slurm/slurm.h"

#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/read_config.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include YM_SERIES_HEADER

#endif
