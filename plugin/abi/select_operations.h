/*
 * What a select plugin exports: Slurm finds the operations by name, and no header of its own
 * declares them. YM_SELECT_FORWARDS lists those that are handed to stock as they are, of which the
 * series' file adds its own, YM_SERIES_FORWARDS:
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

#define YM_SELECT_COMMON_FORWARDS(FORWARD)                                       \
    FORWARD(int, job_ready, select_p_job_ready, (job_record_t * job), (job))     \
    FORWARD(int,                                                                 \
            job_expand,                                                          \
            select_p_job_expand,                                                 \
            (job_record_t * from, job_record_t * to),                            \
            (from, to))                                                          \
    FORWARD(int,                                                                 \
            job_resized,                                                         \
            select_p_job_resized,                                                \
            (job_record_t * job, node_record_t * node),                          \
            (job, node))                                                         \
    FORWARD(int,                                                                 \
            job_suspend,                                                         \
            select_p_job_suspend,                                                \
            (job_record_t * job, bool indefinitely),                             \
            (job, indefinitely))                                                 \
    FORWARD(int,                                                                 \
            job_resume,                                                          \
            select_p_job_resume,                                                 \
            (job_record_t * job, bool indefinitely),                             \
            (job, indefinitely))                                                 \
    FORWARD(int, nodeinfo_set_all, select_p_select_nodeinfo_set_all, (void), ()) \
    FORWARD(int, nodeinfo_set, select_p_select_nodeinfo_set, (job_record_t * job), (job))

#define YM_SELECT_FORWARDS(FORWARD) YM_SELECT_COMMON_FORWARDS(FORWARD) YM_SERIES_FORWARDS(FORWARD)
#define YM_SELECT_OPERATIONS(OPERATION) YM_SELECT_OWN(OPERATION) YM_SELECT_FORWARDS(OPERATION)

extern const uint32_t plugin_id;

#define YM_DECLARE_OPERATION(type, member, symbol, parameters, arguments) \
    extern type symbol parameters;
YM_SELECT_OPERATIONS(YM_DECLARE_OPERATION)
#undef YM_DECLARE_OPERATION

#endif
