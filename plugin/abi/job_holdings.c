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

/* A job asks for GPUs, and holds them, in one entry for each type. */
typedef struct {
    uint32_t plugin_id;
    uint32_t count;
    const gres_job_state_t** entries;
} gpu_entries;

static int add_entry(void* x, void* arg) {
    const gres_state_t* state = x;
    gpu_entries* held = arg;

    if (state->plugin_id == held->plugin_id && state->gres_data)
        held->entries[held->count++] = state->gres_data;
    return 0;
}

/* Once a job: a walk through its list at each of its nodes was a third of a WILL_RUN. */
static gpu_entries gpu_entries_of(ym_slurm_list gres) {
    gpu_entries found = {.plugin_id = gres_build_id("gpu")};

    if (!gres)
        return found;
    found.entries = xcalloc(list_count(gres) + 1, sizeof(*found.entries));
    list_for_each(gres, add_entry, &found);
    return found;
}

/* What the job's node number `host` holds. */
static void read_held_gpus(const gpu_entries* held, uint32_t host, ym_holding* holding) {
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
    gpu_entries held = {0};
    uint32_t k = 0;
    bool all;

    if (!holds_some(job, walk->among))
        return 0;
    all = size == bit_size(resources->node_bitmap) &&
          bit_super_set(resources->node_bitmap, walk->among);
    if (walk->with_gpus)
        held = gpu_entries_of(job->gres_list_alloc);
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

/* --- What stock chose for a job that it has just accepted --- */

/* As gres_ctld_job_alloc will hand them out. */
static uint64_t chosen_on(const gres_job_state_t* gpus, int64_t node) {
    if (node >= gpus->total_node_cnt)
        return gpus->gres_per_node;
    if (gpus->gres_cnt_node_select && gpus->gres_cnt_node_select[node])
        return gpus->gres_cnt_node_select[node];
    if (gpus->gres_bit_select && gpus->gres_bit_select[node])
        return (uint64_t)bit_set_count(gpus->gres_bit_select[node]);
    return 0;
}

void ym_job_chosen_gpus(const ym_job* opaque, uint32_t* least, uint32_t* most) {
    const job_record_t* job = (const job_record_t*)opaque;
    bitstr_t* nodes = job->job_resrcs ? job->job_resrcs->node_bitmap : NULL;
    gpu_entries wanted = gpu_entries_of(job->gres_list_req);

    *most = 0;
    *least = wanted.count && nodes ? UINT32_MAX : 0;
    for (int64_t i = nodes && wanted.count ? ym_series_next_bit(nodes, 0) : -1; i >= 0;
         i = ym_series_next_bit(nodes, i + 1)) {
        uint32_t here = 0;

        for (uint32_t k = 0; k < wanted.count; k++)
            here += (uint32_t)chosen_on(wanted.entries[k], i);
        *least = here < *least ? here : *least;
        *most = here > *most ? here : *most;
    }
    xfree(wanted.entries);
}
