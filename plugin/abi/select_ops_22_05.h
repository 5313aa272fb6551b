/*
 * The operations of a select plugin in Slurm 22.05, in the order of src/common/select.h.
 *
 * FORWARD(return type, member of slurm_select_ops_t, symbol, (parameters), (arguments)): handed to
 * stock as it is.
 * Not listed: job_test, job_begin, job_fini, node_init, reconfigure, which select_entry.c writes
 * out.
 */
#define YM_SELECT_FORWARDS(FORWARD)                                                                \
    FORWARD(int, state_save, select_p_state_save, (char* dir_name), (dir_name))                    \
    FORWARD(int, state_restore, select_p_state_restore, (char* dir_name), (dir_name))              \
    FORWARD(int, job_init, select_p_job_init, (List jobs), (jobs))                                 \
    FORWARD(int, job_ready, select_p_job_ready, (job_record_t * job), (job))                       \
    FORWARD(int,                                                                                   \
            job_expand,                                                                            \
            select_p_job_expand,                                                                   \
            (job_record_t * from, job_record_t * to),                                              \
            (from, to))                                                                            \
    FORWARD(int,                                                                                   \
            job_resized,                                                                           \
            select_p_job_resized,                                                                  \
            (job_record_t * job, node_record_t * node),                                            \
            (job, node))                                                                           \
    FORWARD(int, job_signal, select_p_job_signal, (job_record_t * job, int signal), (job, signal)) \
    FORWARD(int,                                                                                   \
            job_suspend,                                                                           \
            select_p_job_suspend,                                                                  \
            (job_record_t * job, bool indefinitely),                                               \
            (job, indefinitely))                                                                   \
    FORWARD(int,                                                                                   \
            job_resume,                                                                            \
            select_p_job_resume,                                                                   \
            (job_record_t * job, bool indefinitely),                                               \
            (job, indefinitely))                                                                   \
    FORWARD(                                                                                       \
        bitstr_t*,                                                                                 \
        step_pick_nodes,                                                                           \
        select_p_step_pick_nodes,                                                                  \
        (job_record_t * job, select_jobinfo_t * jobinfo, uint32_t count, bitstr_t * *available),   \
        (job, jobinfo, count, available))                                                          \
    FORWARD(int, step_start, select_p_step_start, (step_record_t * step), (step))                  \
    FORWARD(int,                                                                                   \
            step_finish,                                                                           \
            select_p_step_finish,                                                                  \
            (step_record_t * step, bool killing),                                                  \
            (step, killing))                                                                       \
    FORWARD(int,                                                                                   \
            nodeinfo_pack,                                                                         \
            select_p_select_nodeinfo_pack,                                                         \
            (select_nodeinfo_t * info, buf_t * buffer, uint16_t version),                          \
            (info, buffer, version))                                                               \
    FORWARD(int,                                                                                   \
            nodeinfo_unpack,                                                                       \
            select_p_select_nodeinfo_unpack,                                                       \
            (select_nodeinfo_t * *info, buf_t * buffer, uint16_t version),                         \
            (info, buffer, version))                                                               \
    FORWARD(select_nodeinfo_t*, nodeinfo_alloc, select_p_select_nodeinfo_alloc, (void), ())        \
    FORWARD(int, nodeinfo_free, select_p_select_nodeinfo_free, (select_nodeinfo_t * info), (info)) \
    FORWARD(int, nodeinfo_set_all, select_p_select_nodeinfo_set_all, (void), ())                   \
    FORWARD(int, nodeinfo_set, select_p_select_nodeinfo_set, (job_record_t * job), (job))          \
    FORWARD(int,                                                                                   \
            nodeinfo_get,                                                                          \
            select_p_select_nodeinfo_get,                                                          \
            (select_nodeinfo_t * info,                                                             \
             enum select_nodedata_type type,                                                       \
             enum node_states state,                                                               \
             void* data),                                                                          \
            (info, type, state, data))                                                             \
    FORWARD(select_jobinfo_t*, jobinfo_alloc, select_p_select_jobinfo_alloc, (void), ())           \
    FORWARD(int, jobinfo_free, select_p_select_jobinfo_free, (select_jobinfo_t * info), (info))    \
    FORWARD(int,                                                                                   \
            jobinfo_set,                                                                           \
            select_p_select_jobinfo_set,                                                           \
            (select_jobinfo_t * info, enum select_jobdata_type type, void* data),                  \
            (info, type, data))                                                                    \
    FORWARD(int,                                                                                   \
            jobinfo_get,                                                                           \
            select_p_select_jobinfo_get,                                                           \
            (select_jobinfo_t * info, enum select_jobdata_type type, void* data),                  \
            (info, type, data))                                                                    \
    FORWARD(select_jobinfo_t*,                                                                     \
            jobinfo_copy,                                                                          \
            select_p_select_jobinfo_copy,                                                          \
            (select_jobinfo_t * info),                                                             \
            (info))                                                                                \
    FORWARD(int,                                                                                   \
            jobinfo_pack,                                                                          \
            select_p_select_jobinfo_pack,                                                          \
            (select_jobinfo_t * info, buf_t * buffer, uint16_t version),                           \
            (info, buffer, version))                                                               \
    FORWARD(int,                                                                                   \
            jobinfo_unpack,                                                                        \
            select_p_select_jobinfo_unpack,                                                        \
            (select_jobinfo_t * *info, buf_t * buffer, uint16_t version),                          \
            (info, buffer, version))                                                               \
    FORWARD(char*,                                                                                 \
            jobinfo_sprint,                                                                        \
            select_p_select_jobinfo_sprint,                                                        \
            (select_jobinfo_t * info, char* text, size_t size, int mode),                          \
            (info, text, size, mode))                                                              \
    FORWARD(char*,                                                                                 \
            jobinfo_xstrdup,                                                                       \
            select_p_select_jobinfo_xstrdup,                                                       \
            (select_jobinfo_t * info, int mode),                                                   \
            (info, mode))                                                                          \
    FORWARD(int,                                                                                   \
            get_info_from_plugin,                                                                  \
            select_p_get_info_from_plugin,                                                         \
            (enum select_plugindata_info type, job_record_t * job, void* data),                    \
            (type, job, data))                                                                     \
    FORWARD(int, update_node_config, select_p_update_node_config, (int index), (index))            \
    FORWARD(bitstr_t*,                                                                             \
            resv_test,                                                                             \
            select_p_resv_test,                                                                    \
            (resv_desc_msg_t * reservation,                                                        \
             uint32_t node_count,                                                                  \
             bitstr_t * available,                                                                 \
             bitstr_t * *cores),                                                                   \
            (reservation, node_count, available, cores))

#define YM_JOB_TEST_PARAMETERS \
    (job_record_t * job,       \
     bitstr_t * bitmap,        \
     uint32_t min_nodes,       \
     uint32_t max_nodes,       \
     uint32_t req_nodes,       \
     uint16_t mode,            \
     List preemptees,          \
     List * to_preempt,        \
     bitstr_t * exc_cores)

/* The arguments of select_p_job_test that the shim only passes on. */
typedef struct {
    List* to_preempt;
    bitstr_t* exc_cores;
} ym_host_arguments;
