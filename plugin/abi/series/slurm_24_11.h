/*
 * Slurm 24.11, as Debian 13 has it.
 */
#include "plugin/abi/series/since_24_11.h"
#include "plugin/abi/series/until_24_11.h"

#define YM_SERIES_FORWARDS YM_SERIES_FORWARDS_UNTIL_24_11

static inline uint64_t ym_series_sched_weight(const node_record_t* node, bool planning) {
    bool needs_power = IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node);

    return planning ? ym_plan_weight(node, needs_power) : node->sched_weight;
}
