/*
 * Slurm 22.05, as Debian 12 has it.
 */
#include "src/common/gres.h"
#include "src/common/select.h"

#include "plugin/abi/series/until_24_11.h"

/* Where Slurm keeps the tables that select_signature.c and job_submit_signature.c compare us with.
 */
#define YM_SELECT_TABLE "src/common/select.c"
#define YM_JOB_SUBMIT_TABLE "src/slurmctld/job_submit.c"

typedef List ym_slurm_list;
typedef struct job_details ym_job_details;

#define YM_SERIES_FORWARDS(FORWARD)                                                                \
    YM_SERIES_FORWARDS_UNTIL_24_11(FORWARD)                                                        \
    FORWARD(int, job_signal, select_p_job_signal, (job_record_t * job, int signal), (job, signal)) \
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

/* The nodes that a test with preemption last chose; 22.05 remembers none. */
static inline bitstr_t** ym_series_preempt_nodes(job_record_t* job) {
    (void)job;
    return NULL;
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
