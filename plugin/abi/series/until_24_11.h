/*
 * What Slurm 22.05 and every series up to 24.11 have in common: a select plugin that keeps state,
 * packs what commands ask for, and hears of steps.
 */
#define YM_SERIES_FORWARDS_UNTIL_24_11(FORWARD)                                                    \
    FORWARD(int, state_save, select_p_state_save, (char* dir_name), (dir_name))                    \
    FORWARD(int, state_restore, select_p_state_restore, (char* dir_name), (dir_name))              \
    FORWARD(int, job_init, select_p_job_init, (ym_slurm_list jobs), (jobs))                        \
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
    FORWARD(int,                                                                                   \
            get_info_from_plugin,                                                                  \
            select_p_get_info_from_plugin,                                                         \
            (enum select_plugindata_info type, job_record_t * job, void* data),                    \
            (type, job, data))

static inline bool ym_series_least_loaded(uint16_t select_type_param) {
    return (select_type_param & CR_LLN) != 0;
}

/* When stock's simulation takes a running job's resources for free. */
static inline time_t ym_series_job_end(const job_record_t* job, time_t now) {
    (void)now;
    return job->end_time;
}
