/*
 * Compiled with every build and linked into nothing: Slurm's own table of select operations, in its
 * own source file, against what select_entry.c exports. An operation that Slurm adds, drops or
 * changes fails here, at compile time, and not in a running slurmctld.
 */
#include "plugin/abi/series.h"

#include YM_SELECT_TABLE

#include "plugin/abi/select_operations.h"

#define ONE(type, member, symbol, parameters, arguments) +1
enum { kExported = 1 /* plugin_id */ YM_SELECT_OPERATIONS(ONE) };

_Static_assert(sizeof(slurm_select_ops_t) == kExported * sizeof(void*),
               "this Slurm has other select operations than its file in plugin/abi/series lists");
_Static_assert(sizeof(node_select_syms) == sizeof(slurm_select_ops_t),
               "this Slurm looks up other symbols than its table of select operations holds");

/* With as many members as exported, each named once here, the table is complete. */
#define LISTED(type, member, symbol, parameters, arguments) .member = symbol,
const slurm_select_ops_t ym_select_signature = {.plugin_id = (uint32_t*)&plugin_id,
                                                YM_SELECT_OPERATIONS(LISTED)};
