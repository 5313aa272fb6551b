/*
 * The shim between Slurm's internal C structures and our C++: plain types and functions only, so
 * that this header is clean C11 and clean C++. slurm_abi.c (and the *_entry.c files) are the only
 * places of the project that include Slurm's internal headers.
 *
 * Locks: every function that reads nodes or jobs needs the locks that slurmctld holds while it
 * calls select_p_job_test, job_submit or job_modify: job write, node read or write, part read.
 * Nothing here takes a lock of Slurm's or keeps a pointer past the call it was handed in.
 */
#ifndef YARDMASTER_PLUGIN_ABI_SLURM_ABI_H
#define YARDMASTER_PLUGIN_ABI_SLURM_ABI_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ym_job ym_job;           /* job_record_t */
typedef struct ym_job_desc ym_job_desc; /* job_desc_msg_t */
typedef struct ym_bitmap ym_bitmap;     /* bitstr_t, one bit a node-table slot */
typedef struct ym_list ym_list;         /* List of jobs */

/* Logs to slurmctld's log; `text` needs no newline. */
typedef enum { YM_LOG_ERROR, YM_LOG_INFO } ym_log_level;
void ym_log(ym_log_level level, const char* text);

/* --- The site's configuration --- */

/* Path of the slurm.conf in force; never NULL ("" when unknown). */
const char* ym_slurm_conf_path(void);
/* PluginDir as configured: folders joined with ':'. */
const char* ym_plugin_dir(void);
/* When slurm.conf was last read: changes at every reconfigure. */
time_t ym_conf_generation(void);
/* SelectTypeParameters has CR_LLN, SchedulerParameters has bf_busy_nodes: stock's own spreading. */
bool ym_conf_least_loaded(void);
/* sched/builtin plans starts (WILL_RUN) under a node read lock: nothing on nodes may be changed. */
bool ym_conf_plans_read_only(void);
/* PrologFlags has Alloc: slurmctld itself starts the prolog on every node of a job, and hands the
 * job's SPANK environment to it. Without, srun's own launch message starts most prologs, which
 * lacks it. */
bool ym_conf_prolog_at_allocation(void);

/* --- Nodes. `node` is a node-table index, 0 <= node < ym_node_count(). --- */

int ym_node_count(void);
/* NULL for an empty slot (a deleted dynamic node). */
const char* ym_node_name(int node);
/*
 * The order in which a job_test of `mode` wants nodes used: Weight and power state; lower first.
 * To be read before stock is called: its calls change it.
 */
uint64_t ym_node_sched_weight(int node, uint16_t mode);
/* CPUs that jobs may have in all. */
uint32_t ym_node_cpus(int node);
/* GPUs that are configured and not allocated; both 0 for a node without gres/gpu. */
void ym_node_gpus(int node, uint32_t* total, uint32_t* available);
/* Its Extra, where anybody may have written anything; NULL: none. Borrowed. */
const char* ym_node_extra(int node);

/* --- Bitmaps --- */

/* Writes the indices of the set bits, ascending, to out[0..capacity); returns how many are set. */
int ym_bitmap_get(const ym_bitmap* bitmap, int32_t* out, int capacity);
/* Sets exactly nodes[0..count). */
void ym_bitmap_set(ym_bitmap* bitmap, const int32_t* nodes, int count);
int ym_bitmap_count(const ym_bitmap* bitmap);

/* --- Jobs --- */

/* What placement needs of a job that is to be scheduled. Strings are borrowed, NULL when unset. */
typedef struct {
    uint32_t job_id; /* 0: a call that tests a reservation, not a job */
    bool has_details;
    bool pending;
    const char* hints;      /* value of YM_HINTS_ENV in the SPANK job environment */
    const char* next_hints; /* value of YM_NEXT_HINTS_ENV likewise */
    const char* features;   /* --constraint as Slurm has it */
    const char* admin_comment;
    uint32_t num_tasks;     /* 0: not given */
    uint32_t cpus_per_task; /* >= 1 */
    uint32_t gpus_per_node; /* from --gpus-per-node or --gres=gpu:N; 0: not given so */
    uint32_t gpus_per_job;  /* --gpus */
    uint32_t gpus_per_task; /* --gpus-per-task */
    uint32_t gpus_per_socket;
    uint32_t gpu_kinds;      /* entries of gres/gpu: more than one when it asks for several types */
    uint32_t gpu_type;       /* of the first entry, as Slurm numbers types; 0: any */
    uint32_t tasks_per_node; /* 0: not given */
    bool enforce_binding;    /* --gres-flags=enforce-binding: GPUs near the job's cores only */
    bool whole_node;         /* --exclusive; not =user or =mcs, which share nodes with their like */
    bool contiguous;
    bool spread;         /* --spread-job, or least-loaded-node scheduling */
    bool feature_counts; /* a feature with *N */
    bool may_share;      /* OverSubscribe=FORCE, or the job asked to share */
    bool test_now_only;  /* backfill wants no reservation for it */
} ym_job_info;

#define YM_HINTS_ENV "YARDMASTER_HINTS"
#define YM_NEXT_HINTS_ENV "YARDMASTER_NEXT_HINTS"

void ym_job_read(const ym_job* job, ym_job_info* info);
/* The nodes that --nodelist requires, like ym_bitmap_get. */
int ym_job_required_nodes(const ym_job* job, int32_t* out, int capacity);
/* The nodes that it holds or held last, like ym_bitmap_get. */
int ym_job_nodes(const ym_job* job, int32_t* out, int capacity);
/* Sets (or, with NULL, removes) NAME=value in the job's SPANK environment. */
void ym_job_set_env(ym_job* job, const char* name, const char* value);
/* Replaces AdminComment; NULL clears it. */
void ym_job_set_admin_comment(ym_job* job, const char* text);
/* Whether the job, which is being taken off its nodes, goes back to the queue. */
bool ym_job_is_requeued(const ym_job* job);
time_t ym_job_start_time(const ym_job* job);

/*
 * The most leaf groups that the job may touch now for its --switches=N@time; 0: any number, since
 * it has asked for no limit or waited long enough, or since a topology plugin of Slurm's that knows
 * switches sees to it. The wait begins with the first call.
 */
uint32_t ym_job_switch_limit(ym_job* job);

/* What a failed job_test leaves behind on the job and must not. To be dropped when done with. */
typedef struct {
    time_t start_time;
    uint32_t total_cpus;
    uint64_t pn_min_memory;
    uint32_t min_cpus; /* grows at each call for a job with --overcommit */
    bool best_switch;
    ym_bitmap* preempt_nodes; /* a copy of node_bitmap_preempt (24.11); NULL: none */
} ym_job_marks;
void ym_job_save_marks(const ym_job* job, ym_job_marks* marks);
/* As often as need be. */
void ym_job_restore_marks(ym_job* job, const ym_job_marks* marks);
void ym_job_drop_marks(ym_job_marks* marks);

/* --- Jobs that hold resources --- */

/* One node of one running or suspended job. */
typedef struct {
    int32_t node;
    uint32_t gpus;
    uint64_t gpu_mask; /* their indices; 0 where they have none */
    uint32_t cpus;     /* 0 while the job is suspended: its cores are free, its GPUs are not */
    time_t end_time;   /* when stock expects it to end: its time limit, or its soft one */
    bool preemptable;  /* it is in the list of candidates handed over */
} ym_holding;
/*
 * Calls back for every node of `among` that a running or suspended job holds, once for each job.
 * `candidates` may be NULL. Without `with_gpus` no GPUs are told, which spares a walk through the
 * GRES of each job and node.
 */
void ym_for_each_holding(const ym_bitmap* among,
                         ym_list* candidates,
                         bool with_gpus,
                         void (*visit)(const ym_holding*, void*),
                         void* arg);

/*
 * The fewest and the most GPUs that a job which was just given its nodes has on one of them; both
 * 0: it has none.
 */
void ym_job_chosen_gpus(const ym_job* job, uint32_t* least, uint32_t* most);

/* --- One call of select_p_job_test --- */

enum { YM_MODE_RUN_NOW = 0, YM_MODE_TEST_ONLY = 1, YM_MODE_WILL_RUN = 2 };

typedef struct {
    ym_job* job;
    ym_bitmap* bitmap; /* in: candidates; out: chosen nodes */
    uint32_t min_nodes, max_nodes, req_nodes;
    uint16_t mode;       /* YM_MODE_*, without Slurm's flag bits */
    ym_list* preemptees; /* NULL: none */
    /*
     * WILL_RUN from 24.11 on. earliest: lies ahead, stock plans no start before it and does not
     * look at what is free now; 0: the job may start now. latest_end: stock frees no job that ends
     * later; 0: no bound.
     */
    time_t earliest, latest_end;
    bool now_only;        /* WILL_RUN: stock shall plan no start in the future */
    void* host_arguments; /* the rest of Slurm's arguments, for ym_call_stock */
} ym_job_test;

/*
 * Calls stock cons_tres. Uses `test`'s bitmap and counts; with_preemptees: false hides the
 * candidates for preemption. The list of jobs to preempt from an earlier call is emptied first.
 * Returns stock's code, 0 for success.
 */
int ym_call_stock(const ym_job_test* test, bool with_preemptees);
/* What select_p_job_test returns when there is no place now and stock was not asked. */
int ym_code_nodes_busy(void);
/*
 * Whether a refusal with `code` speaks of the nodes that were asked about. If not (licences, from
 * 24.11 on), other nodes get the same answer, and slurmctld wants to see the code.
 */
bool ym_code_concerns_nodes(int code);

/* --- Submission --- */

/* What the hints need of a job at submit or update. 0: not given; strings borrowed, NULL: unset. */
typedef struct {
    const char* features;
    const char* prefer;
    const char* batch_features;
    uint32_t min_nodes, max_nodes;
    uint32_t num_tasks, ntasks_per_node;
    bool contiguous, spread;
    bool whole_node;                /* --exclusive */
    const char *nodelist, *exclude; /* host list expressions */
    /* TRES strings as Slurm's commands write them: "gres:gpu:h100:8". */
    const char *tres_per_node, *tres_per_job, *tres_per_task, *tres_per_socket;
} ym_submission;
void ym_desc_read(const ym_job_desc* desc, ym_submission* submission);
/* Replaces --constraint. "" clears the features of an updated job; NULL: none were given. */
void ym_desc_set_features(ym_job_desc* desc, const char* features);
void ym_desc_set_env(ym_job_desc* desc, const char* name, const char* value);
/* The same for a job that exists. */
void ym_job_as_submission(const ym_job* job, ym_submission* submission);

#ifdef __cplusplus
}
#endif

#endif
