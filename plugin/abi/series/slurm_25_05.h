/*
 * Slurm 25.05, 25.11 and 26.05. Only the configured select plugin is loaded, and by slurmctld
 * alone; it keeps no state and packs nothing any more.
 */
#include "plugin/abi/series/since_24_11.h"

/* Beside what all series forward. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
#define YM_SERIES_FORWARDS(FORWARD) \
    FORWARD(void, job_mem_reduce, select_p_job_mem_reduce, (job_record_t * job), (job))
#else
#define YM_SERIES_FORWARDS(FORWARD)
#endif

/* 25.05 still calls it CR_LLN; the bit is the same. */
static inline bool ym_series_least_loaded(uint16_t select_type_param) {
#ifdef CR_LLN
    return (select_type_param & CR_LLN) != 0;
#else
    return (select_type_param & SELECT_LLN) != 0;
#endif
}

static inline uint64_t ym_series_sched_weight(const node_record_t* node, bool planning) {
    bool needs_power =
        IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node) || IS_NODE_POWERING_UP(node);

    return planning ? ym_plan_weight(node, needs_power) : node->sched_weight;
}

/*
 * When stock's simulation takes a running job's resources for free: with time_min_as_soft_limit at
 * the job's least time limit, and once that is past, half way to its end.
 */
static inline time_t ym_series_job_end(const job_record_t* job, time_t now) {
    time_t soft = job->start_time + (time_t)job->time_min * 60;

    if (!job->time_min || !xstrcasestr(slurm_conf.sched_params, "time_min_as_soft_limit"))
        return job->end_time;
    return soft < now ? now + (job->end_time - now) / 2 : soft;
}
