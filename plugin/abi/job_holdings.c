/*
 * What running and suspended jobs hold of nodes. Walked at every decision, so it does once a job
 * what can be done once a job.
 */
#include "src/common/slurm_xlator.h"

#include "plugin/abi/series.h"

#include "src/common/job_resources.h"
#include "src/common/xmalloc.h"

#include "plugin/abi/gpu_marks.h"
#include "plugin/abi/slurm_abi.h"

#pragma weak job_list

typedef struct {
    bitstr_t* among;
    ym_slurm_list candidates;
    bool with_gpus;
    time_t now;
    void (*visit)(const ym_holding*, void*);
    void* arg;
} holding_walk;

/* A job holds GPUs in one entry for each type. */
typedef struct {
    uint32_t plugin_id;
    uint32_t count;
    const gres_job_state_t** entries;
} held_gpus;

static int add_entry(void* x, void* arg) {
    const gres_state_t* state = x;
    held_gpus* held = arg;

    if (state->plugin_id == held->plugin_id && state->gres_data)
        held->entries[held->count++] = state->gres_data;
    return 0;
}

/* Once a job: a walk through its list at each of its nodes was a third of a WILL_RUN. */
static held_gpus held_gpus_of(const job_record_t* job) {
    held_gpus held = {.plugin_id = gres_build_id("gpu")};

    if (!job->gres_list_alloc)
        return held;
    held.entries = xcalloc(list_count(job->gres_list_alloc) + 1, sizeof(*held.entries));
    list_for_each(job->gres_list_alloc, add_entry, &held);
    return held;
}

/* What the job's node number `host` holds. */
static void read_held_gpus(const held_gpus* held, uint32_t host, ym_holding* holding) {
    holding->gpus = 0;
    holding->gpu_mask = 0;
    for (uint32_t i = 0; i < held->count; i++) {
        const gres_job_state_t* gpus = held->entries[i];

        if (host >= gpus->node_cnt)
            continue;
        if (gpus->gres_cnt_node_alloc && gpus->gres_cnt_node_alloc[host] != NO_CONSUME_VAL64)
            holding->gpus += (uint32_t)gpus->gres_cnt_node_alloc[host];
        if (gpus->gres_bit_alloc)
            holding->gpu_mask |= ym_held_gpus(gpus->gres_bit_alloc[host]);
    }
}

static int same_job(void* x, void* key) {
    return x == key;
}

/* Most jobs of a busy cluster hold none of the nodes asked about. */
static bool holds_some(const job_record_t* job, bitstr_t* among) {
    const job_resources_t* resources = job->job_resrcs;

    if ((!IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job)) || !resources || !resources->node_bitmap)
        return false;
    /* The sizes differ for a moment when nodes are made or deleted. */
    return bit_size(resources->node_bitmap) != bit_size(among) ||
           bit_overlap_any(resources->node_bitmap, among);
}

static int visit_job(void* x, void* arg) {
    job_record_t* job = x;
    const holding_walk* walk = arg;
    const job_resources_t* resources = job->job_resrcs;
    const int64_t size = bit_size(walk->among);
    ym_holding holding = {0};
    held_gpus held = {0};
    uint32_t k = 0;
    bool all;

    if (!holds_some(job, walk->among))
        return 0;
    all = size == bit_size(resources->node_bitmap) &&
          bit_super_set(resources->node_bitmap, walk->among);
    if (walk->with_gpus)
        held = held_gpus_of(job);
    holding.end_time = ym_series_job_end(job, walk->now);
    holding.preemptable = walk->candidates && list_find_first(walk->candidates, same_job, job);
    for (int64_t i = ym_series_next_bit(resources->node_bitmap, 0); i >= 0 && i < size;
         i = ym_series_next_bit(resources->node_bitmap, i + 1), k++) {
        if (!all && !bit_test(walk->among, i))
            continue;
        holding.node = (int32_t)i;
        holding.cpus = 0;
        if (IS_JOB_RUNNING(job) && resources->cpus && k < resources->nhosts)
            holding.cpus = resources->cpus[k];
        read_held_gpus(&held, k, &holding);
        walk->visit(&holding, walk->arg);
    }
    xfree(held.entries);
    return 0;
}

void ym_for_each_holding(const ym_bitmap* among,
                         ym_list* candidates,
                         bool with_gpus,
                         void (*visit)(const ym_holding*, void*),
                         void* arg) {
    holding_walk walk = {.among = (bitstr_t*)among,
                         .candidates = (ym_slurm_list)candidates,
                         .with_gpus = with_gpus,
                         .now = time(NULL),
                         .visit = visit,
                         .arg = arg};

    if (job_list)
        list_for_each(job_list, visit_job, &walk);
}
