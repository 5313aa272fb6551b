/*
 * What Slurm 24.11 and every later series have in common. A series that departs from it leaves this
 * file and takes along what still holds.
 */
#include "src/common/job_features.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"

/* Where Slurm keeps the tables that select_signature.c and job_submit_signature.c compare us with.
 */
#define YM_SELECT_TABLE "src/interfaces/select.c"
#define YM_JOB_SUBMIT_TABLE "src/interfaces/job_submit.c"

typedef list_t* ym_slurm_list;
typedef job_details_t ym_job_details;

#define YM_JOB_TEST_PARAMETERS \
    (job_record_t * job,       \
     bitstr_t * bitmap,        \
     uint32_t min_nodes,       \
     uint32_t max_nodes,       \
     uint32_t req_nodes,       \
     uint16_t mode,            \
     list_t * preemptees,      \
     list_t * *to_preempt,     \
     resv_exc_t * exclusions,  \
     will_run_data_t * window)

/* The arguments of job_test that the shim only passes on. */
typedef struct {
    list_t** to_preempt;
    resv_exc_t* exclusions;
    will_run_data_t* window;
    will_run_data_t own_window;
} ym_host_arguments;

#define YM_HOST_ARGUMENTS \
    { .to_preempt = to_preempt, .exclusions = exclusions, .window = window }
#define YM_PASS_HOST_ARGUMENTS(host) (host)->to_preempt, (host)->exclusions, (host)->window

static inline void ym_series_window(const ym_host_arguments* host, time_t* from, time_t* until) {
    *from = host->window ? host->window->start : 0;
    *until = host->window ? host->window->end : 0;
}

/*
 * TEST_NOW_ONLY does not suffice here: with candidates for preemption stock simulates the future
 * all the same, unless its window ends before any job does. `host` must stay where it is.
 */
static inline void ym_series_now_only(ym_host_arguments* host) {
    host->own_window.start = host->window ? host->window->start : 0;
    host->own_window.end = 1;
    host->window = &host->own_window;
}

/*
 * A node's weight as WILL_RUN sets it, on another scale than RUN_NOW, when stock is called: what
 * the node bears until then is of an earlier call and compares with no other node's. In the order
 * of `needs_power`, Weight, a reboot to come, the last job's end to come.
 */
static inline uint64_t ym_plan_weight(const node_record_t* node, bool needs_power) {
    bool reboots = IS_NODE_REBOOT_REQUESTED(node) || IS_NODE_REBOOT_ISSUED(node);

    return (needs_power ? UINT64_C(1) << 49 : 0) | ((uint64_t)node->weight << 16) |
           (reboots ? 0x200 : 0) | (IS_NODE_COMPLETING(node) ? 0x100 : 0);
}

/* Licences are counted within job_test, and slurmctld tells the user when it is they that lack. */
static inline bool ym_series_code_concerns_nodes(int code) {
    return code != ESLURM_LICENSES_UNAVAILABLE;
}

#define YM_JOB_MODIFY_PARAMETERS \
    (job_desc_msg_t * desc, job_record_t * job, uint32_t submit_uid, char** err_msg)
#define YM_JOB_MODIFY_MESSAGE err_msg

/* Kinds of exclusiveness are bits here, and =topo is one of them. */
static inline bool ym_series_whole_node(const ym_job_details* details) {
    return (details->whole_node & WHOLE_NODE_REQUIRED) != 0;
}

/* The nodes that a test with preemption last chose: accounting limits are counted over them. */
static inline bitstr_t** ym_series_preempt_nodes(job_record_t* job) {
    return &job->node_bitmap_preempt;
}

/* The first set bit at or after `bit`, or -1. */
static inline int64_t ym_series_next_bit(bitstr_t* bits, int64_t bit) {
    return bit < bit_size(bits) ? bit_ffs_from_bit(bits, bit) : -1;
}

/* What jobs hold of a node's GPUs through shards or MPS; NULL where there are none. */
static inline const gres_node_state_t* ym_series_alternative(const gres_node_state_t* gpus) {
    return gpus->alt_gres ? gpus->alt_gres->gres_data : NULL;
}
