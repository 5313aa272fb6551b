/*
 * Slurm 22.05, as Debian 12 has it.
 */
#include "src/common/gres.h"
#include "src/common/select.h"

/* Where Slurm keeps the tables that select_signature.c and job_submit_signature.c compare us with.
 */
#define YM_SELECT_TABLE "src/common/select.c"
#define YM_JOB_SUBMIT_TABLE "src/slurmctld/job_submit.c"

typedef List ym_slurm_list;
typedef struct job_details ym_job_details;

/* clang-format off: a table */
#define YM_SELECT_FORWARDS(FORWARD)                                                                \
    FORWARD(int, state_save, select_p_state_save, (char* dir_name), (dir_name))                    \
    FORWARD(int, state_restore, select_p_state_restore, (char* dir_name), (dir_name))              \
    FORWARD(int, job_init, select_p_job_init, (ym_slurm_list jobs), (jobs))                        \
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
/* clang-format on */

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

/* The arguments of job_test that the shim only passes on. */
typedef struct {
    List* to_preempt;
    bitstr_t* exc_cores;
} ym_host_arguments;

#define YM_HOST_ARGUMENTS \
    { .to_preempt = to_preempt, .exc_cores = exc_cores }
#define YM_PASS_HOST_ARGUMENTS(host) (host)->to_preempt, (host)->exc_cores

/* Backfill names no window: stock plans from now on, and backfill looks again at what it gets. */
static inline void ym_series_window(const ym_host_arguments* host, time_t* from, time_t* until) {
    (void)host;
    *from = *until = 0;
}

/* TEST_NOW_ONLY does it: only the test with all preemptable jobs gone is still made. */
static inline void ym_series_now_only(ym_host_arguments* host) {
    (void)host;
}

/* WILL_RUN goes by what the last RUN_NOW set. */
static inline uint64_t ym_series_sched_weight(const node_record_t* node, bool planning) {
    (void)planning;
    return node->sched_weight;
}

/* Licences are not job_test's business here. */
static inline bool ym_series_code_concerns_nodes(int code) {
    (void)code;
    return true;
}

/* job_modify cannot show the user a message here: the log must do. */
#define YM_JOB_MODIFY_PARAMETERS (job_desc_msg_t * desc, job_record_t * job, uint32_t submit_uid)
#define YM_JOB_MODIFY_MESSAGE NULL

/* Kinds of exclusiveness are numbered here: 3 is =mcs. */
static inline bool ym_series_whole_node(const ym_job_details* details) {
    return details->whole_node == WHOLE_NODE_REQUIRED;
}

static inline bool ym_series_least_loaded(uint16_t select_type_param) {
    return (select_type_param & CR_LLN) != 0;
}

/* The nodes that a test with preemption last chose; 22.05 remembers none. */
static inline bitstr_t** ym_series_preempt_nodes(job_record_t* job) {
    (void)job;
    return NULL;
}

/* When stock's simulation takes a running job's resources for free. */
static inline time_t ym_series_job_end(const job_record_t* job, time_t now) {
    (void)now;
    return job->end_time;
}

/*
 * The first set bit at or after `bit`, or -1. Slurm has no such function before 23.02, and a call
 * of bit_test for every bit was a quarter of a decision at 10,000 nodes. Words lie as bitstring.c
 * lays them out.
 */
static inline int64_t ym_series_next_bit(bitstr_t* bits, int64_t bit) {
    const int64_t word_bits = (int64_t)sizeof(bitstr_t) * 8;
    int64_t size = bit_size(bits);

    for (; bit < size; bit += word_bits - bit % word_bits) {
#ifdef SLURM_BIGENDIAN
        for (int64_t i = bit; i < size && (i == bit || i % word_bits != 0); i++) {
            if (bit_test(bits, i))
                return i;
        }
#else
        uint64_t rest =
            (uint64_t)bits[(bit >> BITSTR_SHIFT) + BITSTR_OVERHEAD] >> (bit % word_bits);

        if (rest != 0) {
            bit += __builtin_ctzll(rest);
            return bit < size ? bit : -1;
        }
#endif
    }
    return -1;
}

/* What jobs hold of a node's GPUs through shards or MPS; NULL where there are none. */
static inline const gres_node_state_t* ym_series_alternative(const gres_node_state_t* gpus) {
    return gpus->alt_gres_ns;
}
