/*
 * What the select plugin's C entry calls in C++. Every hook keeps exceptions to itself.
 */
#ifndef YARDMASTER_PLUGIN_ABI_SELECT_HOOKS_H
#define YARDMASTER_PLUGIN_ABI_SELECT_HOOKS_H

#include "plugin/abi/slurm_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Decides one select_p_job_test by calls of ym_call_stock; returns what Slurm shall see. */
int ym_hook_job_test(ym_job_test* test);
/* The job starts on its nodes: time for the receipt. */
void ym_hook_job_begin(ym_job* job);
/* The job leaves its nodes, to end or to be queued again. */
void ym_hook_job_fini(ym_job* job);
/* Resources of nodes were given or taken back by other operations than job_test and job_fini. */
void ym_hook_resources_moved(void);
/* The node table may have changed: forget everything that names an index. */
void ym_hook_nodes_changed(void);

#ifdef __cplusplus
}
#endif

#endif
