/*
 * Hiding GPUs: the GPU's bit leaves the topology record (gres_node_state_t, topo_*) that lists it,
 * with its share of that record's counts. Marking it as allocated would be the simpler way and is
 * wrong: stock simulates the end of jobs on a copy of the node (WILL_RUN, preemption), frees every
 * GPU that such a job holds, and with it our mark. A bit that the record does not list is neither
 * counted nor freed nor picked. The totals of the node (gres_cnt_*, type_cnt_*, gres_bit_alloc)
 * stay as they are: where records exist, stock chooses by them.
 */
#include "src/common/slurm_xlator.h"

#include "plugin/abi/series.h"

#include "src/common/job_resources.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"

#include "plugin/abi/gpu_marks.h"

#pragma weak job_list
#pragma weak node_record_table_ptr
#pragma weak node_record_count

#define MOST_GPUS 64

/* What was taken out of one topology record. */
typedef struct {
    int32_t node;
    uint16_t record;
    uint64_t bits;
    uint64_t avail, alloc; /* taken off the record's counts */
} gpu_mark;

struct ym_gpu_marks {
    uint32_t count, capacity;
    gpu_mark* entries;
};

static node_record_t* node_at(int node) {
    if (node < 0 || node >= node_record_count)
        return NULL;
    return node_record_table_ptr[node];
}

static gres_node_state_t* gpus_of(int node) {
    const node_record_t* record = node_at(node);
    uint32_t id = gres_build_id("gpu"); /* not kept: job_submit asks from several threads */
    gres_state_t* state = NULL;

    if (record && record->gres_list)
        state = list_find_first(record->gres_list, gres_find_id, &id);
    return state ? state->gres_data : NULL;
}

/* 0 for a bitmap that is too long for a mask. */
static uint64_t mask_of(bitstr_t* bits) {
    uint64_t mask = 0;

    if (!bits || bit_size(bits) > MOST_GPUS)
        return 0;
    for (int64_t i = ym_series_next_bit(bits, 0); i >= 0; i = ym_series_next_bit(bits, i + 1))
        mask |= UINT64_C(1) << i;
    return mask;
}

/* Whether every GPU of the node stands in a topology record, by an index that fits a mask. */
static bool has_indices(const gres_node_state_t* gpus) {
    return gpus && !gpus->no_consume && gpus->gres_bit_alloc &&
           bit_size(gpus->gres_bit_alloc) <= MOST_GPUS && gpus->topo_cnt > 0 &&
           gpus->topo_gres_bitmap && gpus->topo_gres_cnt_alloc && gpus->topo_gres_cnt_avail;
}

static uint64_t record_mask(const gres_node_state_t* gpus, uint16_t record) {
    return mask_of(gpus->topo_gres_bitmap[record]);
}

bool ym_node_gpu_masks(int node, uint32_t gpu_type, ym_gpu_masks* masks) {
    const gres_node_state_t* gpus = gpus_of(node);
    const gres_node_state_t* alternative;

    memset(masks, 0, sizeof(*masks));
    if (!has_indices(gpus))
        return false;
    for (uint16_t i = 0; i < gpus->topo_cnt; i++) {
        if (!gpu_type || gpu_type == gpus->topo_type_id[i])
            masks->fit |= record_mask(gpus, i);
    }
    masks->free = masks->fit & ~mask_of(gpus->gres_bit_alloc);
    if ((alternative = ym_series_alternative(gpus)))
        masks->shared = masks->free & mask_of(alternative->gres_bit_alloc);
    masks->free &= ~masks->shared;
    return true;
}

bool ym_gpus_lack_indices(void) {
    bool seen = false;

    for (int node = 0; node < node_record_count; node++) {
        const gres_node_state_t* gpus = gpus_of(node);

        if (has_indices(gpus))
            return false;
        seen |= gpus && gpus->gres_cnt_avail && gpus->gres_cnt_found != NO_VAL64;
    }
    return seen;
}

uint64_t ym_held_gpus(const void* bitmap) {
    return mask_of((bitstr_t*)bitmap);
}

static void add_near(const gres_node_state_t* gpus, uint16_t record, ym_gpu_sockets* sockets) {
    bitstr_t* cores = gpus->topo_core_bitmap ? gpus->topo_core_bitmap[record] : NULL;
    const uint64_t mask = record_mask(gpus, record);

    for (uint32_t s = 0; s < sockets->sockets; s++) {
        const int64_t first = (int64_t)s * sockets->cores;
        const int64_t end = first + sockets->cores;

        if (!cores || (bit_size(cores) >= end && bit_set_count_range(cores, first, end) > 0))
            sockets->near[s] |= mask;
    }
}

void ym_node_gpu_sockets(int node, ym_gpu_sockets* sockets) {
    const node_record_t* record = node_at(node);
    const gres_node_state_t* gpus = gpus_of(node);

    memset(sockets, 0, sizeof(*sockets));
    if (!has_indices(gpus) || record->tot_sockets > YM_MOST_SOCKETS)
        return;
    sockets->sockets = record->tot_sockets;
    sockets->cores = record->tot_sockets ? record->tot_cores / record->tot_sockets : 0;
    for (uint16_t i = 0; i < gpus->topo_cnt; i++)
        add_near(gpus, i, sockets);
}

/* --- Cores in use --- */

typedef struct {
    const int32_t* slots;
    uint32_t* cores;
} core_walk;

/* One node of a job: its cores begin at `offset` of the job's core bitmap. */
static void add_cores(
    const job_resources_t* job, int64_t offset, uint32_t sockets, uint32_t cores, uint32_t* sum) {
    for (uint32_t s = 0; s < sockets && s < YM_MOST_SOCKETS; s++) {
        const int64_t first = offset + (int64_t)s * cores;

        if (first + cores <= bit_size(job->core_bitmap))
            sum[s] += (uint32_t)bit_set_count_range(job->core_bitmap, first, first + cores);
    }
}

static int visit_cores(void* x, void* arg) {
    const job_record_t* job = x;
    const core_walk* walk = arg;
    const job_resources_t* resources = job->job_resrcs;
    int64_t offset = 0, node = -1;
    uint32_t kind = 0, of_kind = 0;

    if (!IS_JOB_RUNNING(job) || !resources || !resources->node_bitmap || !resources->core_bitmap)
        return 0;
    for (uint32_t k = 0; k < resources->nhosts; k++) {
        uint32_t sockets, cores;

        do {
            node++;
        } while (node < node_record_count && !bit_test(resources->node_bitmap, node));
        if (node >= node_record_count)
            break;
        if (of_kind >= resources->sock_core_rep_count[kind]) {
            kind++;
            of_kind = 0;
        }
        of_kind++;
        sockets = resources->sockets_per_node[kind];
        cores = resources->cores_per_socket[kind];
        if (walk->slots[node] >= 0)
            add_cores(resources,
                      offset,
                      sockets,
                      cores,
                      &walk->cores[walk->slots[node] * YM_MOST_SOCKETS]);
        offset += (int64_t)sockets * cores;
    }
    return 0;
}

void ym_add_busy_cores(const int32_t* slots, uint32_t* cores) {
    core_walk walk = {.slots = slots, .cores = cores};

    if (job_list)
        list_for_each(job_list, visit_cores, &walk);
}

/* --- Hiding --- */

static gpu_mark* new_mark(ym_gpu_marks* marks) {
    if (marks->count == marks->capacity) {
        marks->capacity = marks->capacity ? 2 * marks->capacity : 32;
        xrecalloc(marks->entries, marks->capacity, sizeof(gpu_mark));
    }
    return &marks->entries[marks->count++];
}

static void set_bits(bitstr_t* bits, uint64_t mask, bool value) {
    for (; mask; mask &= mask - 1) {
        if (value)
            bit_set(bits, __builtin_ctzll(mask));
        else
            bit_clear(bits, __builtin_ctzll(mask));
    }
}

static uint64_t at_most(uint64_t count, uint64_t limit) {
    return count < limit ? count : limit;
}

static void hide(
    ym_gpu_marks* marks, int node, gres_node_state_t* gpus, uint16_t i, uint64_t bits) {
    gpu_mark* mark = new_mark(marks);
    const int held = __builtin_popcountll(bits & mask_of(gpus->gres_bit_alloc));

    *mark = (gpu_mark){.node = node, .record = i, .bits = bits};
    mark->avail = at_most((uint64_t)__builtin_popcountll(bits), gpus->topo_gres_cnt_avail[i]);
    mark->alloc = at_most((uint64_t)held, gpus->topo_gres_cnt_alloc[i]);
    set_bits(gpus->topo_gres_bitmap[i], bits, false);
    gpus->topo_gres_cnt_avail[i] -= mark->avail;
    gpus->topo_gres_cnt_alloc[i] -= mark->alloc;
}

ym_gpu_marks* ym_gpu_marks_set(const int32_t* nodes, const uint64_t* keep, int count) {
    ym_gpu_marks* marks = NULL;

    for (int k = 0; k < count; k++) {
        gres_node_state_t* gpus = gpus_of(nodes[k]);

        if (!has_indices(gpus))
            continue;
        for (uint16_t i = 0; i < gpus->topo_cnt; i++) {
            const uint64_t bits = record_mask(gpus, i) & ~keep[k];

            if (!bits)
                continue;
            if (!marks)
                marks = xmalloc(sizeof(*marks));
            hide(marks, nodes[k], gpus, i, bits);
        }
    }
    return marks;
}

void ym_gpu_marks_undo(ym_gpu_marks* marks) {
    if (!marks)
        return;
    for (uint32_t k = 0; k < marks->count; k++) {
        const gpu_mark* mark = &marks->entries[k];
        gres_node_state_t* gpus = gpus_of(mark->node);

        set_bits(gpus->topo_gres_bitmap[mark->record], mark->bits, true);
        gpus->topo_gres_cnt_avail[mark->record] += mark->avail;
        gpus->topo_gres_cnt_alloc[mark->record] += mark->alloc;
    }
    xfree(marks->entries);
    xfree(marks);
}
