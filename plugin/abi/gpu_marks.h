/*
 * Single GPUs of nodes: which are free, which cores they are near, and hiding some of them from
 * stock while it allocates.
 *
 * A GPU here is its index on its node, a bit of a uint64_t mask. Nodes whose GPUs have no indices
 * (gres.conf without File=, more than 64 GPUs, not registered yet) have none to tell or to hide.
 *
 * Locks as in slurm_abi.h; ym_gpu_marks_set and _undo need the node write lock.
 */
#ifndef YARDMASTER_PLUGIN_ABI_GPU_MARKS_H
#define YARDMASTER_PLUGIN_ABI_GPU_MARKS_H

#include "plugin/abi/slurm_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t fit;    /* GPUs of the type that the job asks for; all, if it names no type */
    uint64_t free;   /* of these, the ones that no job holds, be it through shards or MPS */
    uint64_t shared; /* of these, the ones that jobs hold through shards or MPS only */
} ym_gpu_masks;

/* False: the GPUs of `node` have no indices. `gpu_type` as in ym_job_info. */
bool ym_node_gpu_masks(int node, uint32_t gpu_type, ym_gpu_masks* masks);
/* Some node's GPUs are known to slurmctld, and no node's have indices. */
bool ym_gpus_lack_indices(void);
/* A bitmap of GPUs (bitstr_t) as a mask; 0 for NULL or one that is too long for a mask. */
uint64_t ym_held_gpus(const void* bitmap);

/* Sockets that are told apart; a node with more is treated as one without sockets. */
#define YM_MOST_SOCKETS 8

typedef struct {
    uint32_t sockets; /* 0: GPUs are not bound to cores, or there are too many sockets */
    uint32_t cores;   /* per socket */
    uint64_t near[YM_MOST_SOCKETS]; /* GPUs that gres.conf binds to cores of that socket */
} ym_gpu_sockets;
void ym_node_gpu_sockets(int node, ym_gpu_sockets* sockets);

/*
 * Adds the cores that running jobs hold to cores[slots[node] * YM_MOST_SOCKETS + socket], for every
 * node with slots[node] >= 0. `slots` has ym_node_count() entries.
 */
void ym_add_busy_cores(const int32_t* slots, uint32_t* cores);

/* GPUs that are hidden, to be shown again by ym_gpu_marks_undo. */
typedef struct ym_gpu_marks ym_gpu_marks;

/*
 * Hides every GPU of nodes[i] whose bit is not in keep[i], for i in [0, count): stock finds a node
 * that never had them, now and when it simulates the end of the jobs that hold them. Only GPUs that
 * a job gets while they are hidden may change hands meanwhile, and those are others. NULL: nothing
 * to hide.
 */
ym_gpu_marks* ym_gpu_marks_set(const int32_t* nodes, const uint64_t* keep, int count);
/* Puts back exactly what was taken away. NULL is allowed. */
void ym_gpu_marks_undo(ym_gpu_marks* marks);

#ifdef __cplusplus
}
#endif

#endif
