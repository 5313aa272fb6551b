/*
 * What a select plugin exports: Slurm finds the operations by name, and no header of its own
 * declares them. The series' YM_SELECT_FORWARDS lists those that are handed to stock as they are:
 *
 *   FORWARD(return type, member of slurm_select_ops_t, symbol, (parameters), (arguments))
 *
 * The rest is written out in select_entry.c and is alike in all series, but for job_test's
 * parameters.
 */
#ifndef YARDMASTER_PLUGIN_ABI_SELECT_OPERATIONS_H
#define YARDMASTER_PLUGIN_ABI_SELECT_OPERATIONS_H

#include "plugin/abi/series.h"

#define YM_SELECT_OWN(OWN)                                               \
    OWN(int, node_init, select_p_node_init, (void), ())                  \
    OWN(int, reconfigure, select_p_reconfigure, (void), ())              \
    OWN(int, job_begin, select_p_job_begin, (job_record_t * job), (job)) \
    OWN(int, job_fini, select_p_job_fini, (job_record_t * job), (job))   \
    OWN(int, job_test, select_p_job_test, YM_JOB_TEST_PARAMETERS, unused)

#define YM_SELECT_OPERATIONS(OPERATION) YM_SELECT_OWN(OPERATION) YM_SELECT_FORWARDS(OPERATION)

extern const uint32_t plugin_id;

#define YM_DECLARE_OPERATION(type, member, symbol, parameters, arguments) \
    extern type symbol parameters;
YM_SELECT_OPERATIONS(YM_DECLARE_OPERATION)
#undef YM_DECLARE_OPERATION

#endif
