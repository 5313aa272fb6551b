/*
 * The shim's functions that both plugins use. What differs between series of Slurm lies behind the
 * functions ym_series_* (series.h), and none of it here.
 */
#include "src/common/slurm_xlator.h"

#include <stdatomic.h>

#include "plugin/abi/series.h"

#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"

#include "plugin/abi/slurm_abi.h"

/*
 * The select plugin is also loaded by commands, which have none of slurmctld's own symbols. Weak
 * references let it load there; they are read in slurmctld only.
 */
#pragma weak node_record_table_ptr
#pragma weak node_record_count

static job_record_t* job_of(const ym_job* job) {
    return (job_record_t*)job;
}

static bitstr_t* bits_of(const ym_bitmap* bitmap) {
    return (bitstr_t*)bitmap;
}

void ym_log(ym_log_level level, const char* text) {
    switch (level) {
        case YM_LOG_ERROR:
            error("yardmaster: %s", text);
            break;
        case YM_LOG_INFO:
            info("yardmaster: %s", text);
            break;
    }
}

const char* ym_slurm_conf_path(void) {
    return slurm_conf.slurm_conf ? slurm_conf.slurm_conf : "";
}

const char* ym_plugin_dir(void) {
    return slurm_conf.plugindir ? slurm_conf.plugindir : "";
}

time_t ym_conf_generation(void) {
    return slurm_conf.last_update;
}

bool ym_conf_least_loaded(void) {
    return ym_series_least_loaded(slurm_conf.select_type_param) ||
           xstrcasestr(slurm_conf.sched_params, "bf_busy_nodes");
}

bool ym_conf_plans_read_only(void) {
    return !xstrcmp(slurm_conf.schedtype, "sched/builtin");
}

bool ym_conf_prolog_at_allocation(void) {
    return slurm_conf.prolog_flags & PROLOG_FLAG_ALLOC;
}

/* --- Nodes --- */

int ym_node_count(void) {
    return node_record_count;
}

static node_record_t* node_at(int node) {
    if (node < 0 || node >= node_record_count)
        return NULL;
    return node_record_table_ptr[node];
}

const char* ym_node_name(int node) {
    const node_record_t* record = node_at(node);

    return record ? record->name : NULL;
}

uint64_t ym_node_sched_weight(int node, uint16_t mode) {
    const uint64_t last_tests_note = 0xff; /* cons_tres: how many free GPUs are near free cores */
    const node_record_t* record = node_at(node);

    if (!record)
        return 0;
    return ym_series_sched_weight(record, mode == YM_MODE_WILL_RUN) & ~last_tests_note;
}

uint32_t ym_node_cpus(int node) {
    const node_record_t* record = node_at(node);

    return record ? record->cpus_efctv : 0;
}

const char* ym_node_extra(int node) {
    const node_record_t* record = node_at(node);

    return record ? record->extra : NULL;
}

/* Many threads may come here at once; they all compute the same. */
static uint32_t gpu_plugin_id(void) {
    static _Atomic uint32_t known = 0;
    uint32_t id = atomic_load_explicit(&known, memory_order_relaxed);

    if (!id) {
        id = gres_build_id("gpu");
        atomic_store_explicit(&known, id, memory_order_relaxed);
    }
    return id;
}

void ym_node_gpus(int node, uint32_t* total, uint32_t* available) {
    const node_record_t* record = node_at(node);
    uint32_t id = gpu_plugin_id();
    gres_state_t* state;
    gres_node_state_t* gpus;

    *total = *available = 0;
    if (!record || !record->gres_list)
        return;
    state = list_find_first(record->gres_list, gres_find_id, &id);
    if (!state || !state->gres_data)
        return;
    gpus = state->gres_data;
    *total = (uint32_t)gpus->gres_cnt_avail;
    if (gpus->no_consume)
        *available = *total;
    else if (gpus->gres_cnt_avail > gpus->gres_cnt_alloc)
        *available = (uint32_t)(gpus->gres_cnt_avail - gpus->gres_cnt_alloc);
}

/* --- Bitmaps --- */

int ym_bitmap_get(const ym_bitmap* bitmap, int32_t* out, int capacity) {
    bitstr_t* bits = bits_of(bitmap);
    int count = 0;

    if (!bits)
        return 0;
    for (int64_t i = ym_series_next_bit(bits, 0); i >= 0; i = ym_series_next_bit(bits, i + 1)) {
        if (count < capacity)
            out[count] = (int32_t)i;
        count++;
    }
    return count;
}

void ym_bitmap_set(ym_bitmap* bitmap, const int32_t* nodes, int count) {
    bitstr_t* bits = bits_of(bitmap);

    bit_clear_all(bits);
    for (int i = 0; i < count; i++)
        bit_set(bits, nodes[i]);
}

int ym_bitmap_count(const ym_bitmap* bitmap) {
    return bit_set_count(bits_of(bitmap));
}

/* --- The SPANK job environment: an array of "NAME=value" without a closing NULL --- */

static int env_index(char** env, uint32_t size, const char* name) {
    size_t length = strlen(name);

    for (uint32_t i = 0; i < size; i++) {
        if (env[i] && !strncmp(env[i], name, length) && env[i][length] == '=')
            return (int)i;
    }
    return -1;
}

static const char* env_value(char** env, uint32_t size, const char* name) {
    int i = env_index(env, size, name);

    return i < 0 ? NULL : env[i] + strlen(name) + 1;
}

static void env_set(char*** env, uint32_t* size, const char* name, const char* value) {
    int i = env_index(*env, *size, name);

    if (i >= 0) {
        xfree((*env)[i]);
        (*env)[i] = (*env)[*size - 1];
        (*env)[*size - 1] = NULL;
        (*size)--;
    }
    if (value) {
        xrecalloc(*env, *size + 2, sizeof(char*));
        (*env)[*size] = xstrdup_printf("%s=%s", name, value);
        (*size)++;
    }
}

/* --- Jobs --- */

typedef struct {
    uint32_t id;
    ym_job_info* info;
} gpu_request_arg;

static int add_gpu_request(void* x, void* arg) {
    const gres_state_t* state = x;
    const gpu_request_arg* request = arg;
    const gres_job_state_t* gpus = state->gres_data;

    if (state->plugin_id != request->id || !gpus)
        return 0;
    request->info->gpus_per_node += gpus->gres_per_node;
    request->info->gpus_per_job += gpus->gres_per_job;
    request->info->gpus_per_task += gpus->gres_per_task;
    request->info->gpus_per_socket += gpus->gres_per_socket;
    if (!request->info->gpu_kinds++ && gpus->type_name && gpus->type_name[0])
        request->info->gpu_type = gpus->type_id;
    return 0;
}

static int has_feature_count(void* x, void* key) {
    const job_feature_t* feature = x;

    (void)key;
    return feature->count > 0;
}

static void read_details(const job_record_t* job, ym_job_info* info) {
    const ym_job_details* details = job->details;

    info->features = details->features;
    info->num_tasks = details->num_tasks;
    if (details->cpus_per_task && details->cpus_per_task != NO_VAL16)
        info->cpus_per_task = details->cpus_per_task;
    info->tasks_per_node = details->ntasks_per_node;
    info->whole_node = ym_series_whole_node(details);
    info->contiguous = details->contiguous;
    info->feature_counts = details->feature_list_use &&
                           list_find_first(details->feature_list_use, has_feature_count, NULL);
    info->may_share = details->share_res == 1;
}

void ym_job_read(const ym_job* opaque, ym_job_info* info) {
    const job_record_t* job = job_of(opaque);
    gpu_request_arg request = {.id = gpu_plugin_id(), .info = info};

    memset(info, 0, sizeof(*info));
    info->cpus_per_task = 1;
    info->job_id = job->job_id;
    info->has_details = job->details != NULL;
    info->pending = IS_JOB_PENDING(job);
    info->hints = env_value(job->spank_job_env, job->spank_job_env_size, YM_HINTS_ENV);
    info->next_hints = env_value(job->spank_job_env, job->spank_job_env_size, YM_NEXT_HINTS_ENV);
    info->admin_comment = job->admin_comment;
    info->spread = job->bit_flags & SPREAD_JOB;
    info->test_now_only = job->bit_flags & TEST_NOW_ONLY;
    info->enforce_binding = job->bit_flags & GRES_ENFORCE_BIND;
    if (job->details)
        read_details(job, info);
    if (job->gres_list_req)
        list_for_each(job->gres_list_req, add_gpu_request, &request);
    if (job->part_ptr) {
        info->spread |= (job->part_ptr->flags & PART_FLAG_LLN) != 0;
        info->may_share |= (job->part_ptr->max_share & SHARED_FORCE) &&
                           (job->part_ptr->max_share & ~SHARED_FORCE) > 1;
    }
}

int ym_job_required_nodes(const ym_job* job, int32_t* out, int capacity) {
    const ym_job_details* details = job_of(job)->details;

    if (!details || !details->req_node_bitmap)
        return 0;
    return ym_bitmap_get((const ym_bitmap*)details->req_node_bitmap, out, capacity);
}

int ym_job_nodes(const ym_job* job, int32_t* out, int capacity) {
    return ym_bitmap_get((const ym_bitmap*)job_of(job)->node_bitmap, out, capacity);
}

void ym_job_set_env(ym_job* job, const char* name, const char* value) {
    env_set(&job_of(job)->spank_job_env, &job_of(job)->spank_job_env_size, name, value);
}

void ym_job_set_admin_comment(ym_job* job, const char* text) {
    xfree(job_of(job)->admin_comment);
    job_of(job)->admin_comment = xstrdup(text);
}

bool ym_job_is_requeued(const ym_job* job) {
    uint32_t state = job_of(job)->job_state;

    return (state & JOB_STATE_BASE) == JOB_PENDING ||
           (state & (JOB_REQUEUE | JOB_REQUEUE_HOLD | JOB_SPECIAL_EXIT));
}

time_t ym_job_start_time(const ym_job* job) {
    return job_of(job)->start_time;
}

static bitstr_t* preempt_nodes_of(const ym_job* job) {
    bitstr_t** nodes = ym_series_preempt_nodes(job_of(job));

    return nodes ? *nodes : NULL;
}

static bitstr_t* copy_of(bitstr_t* bits) {
    return bits ? bit_copy(bits) : NULL;
}

/* Plugins that know no switches; later series rename the first to the last. */
static bool topology_is_flat(void) {
    const char* plugin = slurm_conf.topology_plugin;

    return !xstrcmp(plugin, "topology/none") || !xstrcmp(plugin, "topology/default") ||
           !xstrcmp(plugin, "topology/flat");
}

uint32_t ym_job_switch_limit(ym_job* opaque) {
    job_record_t* job = job_of(opaque);
    time_t now = time(NULL);

    if (!job->req_switch || !topology_is_flat())
        return 0;
    if (!job->wait4switch_start)
        job->wait4switch_start = now;
    return now - job->wait4switch_start >= (time_t)job->wait4switch ? 0 : job->req_switch;
}

void ym_job_save_marks(const ym_job* opaque, ym_job_marks* marks) {
    const job_record_t* job = job_of(opaque);

    marks->start_time = job->start_time;
    marks->total_cpus = job->total_cpus;
    marks->pn_min_memory = job->details ? job->details->pn_min_memory : 0;
    marks->min_cpus = job->details ? job->details->min_cpus : 0;
    marks->best_switch = job->best_switch;
    marks->preempt_nodes = (ym_bitmap*)copy_of(preempt_nodes_of(opaque));
}

void ym_job_restore_marks(ym_job* opaque, const ym_job_marks* marks) {
    job_record_t* job = job_of(opaque);
    bitstr_t** preempt_nodes = ym_series_preempt_nodes(job);

    job->start_time = marks->start_time;
    job->total_cpus = marks->total_cpus;
    if (job->details) {
        job->details->pn_min_memory = marks->pn_min_memory;
        job->details->min_cpus = marks->min_cpus;
    }
    job->best_switch = marks->best_switch;
    if (preempt_nodes) {
        FREE_NULL_BITMAP(*preempt_nodes);
        *preempt_nodes = copy_of(bits_of(marks->preempt_nodes));
    }
}

void ym_job_drop_marks(ym_job_marks* marks) {
    bitstr_t* bits = bits_of(marks->preempt_nodes);

    FREE_NULL_BITMAP(bits);
    marks->preempt_nodes = NULL;
}

/* --- Submission --- */

static uint32_t given(uint32_t value) {
    return value == NO_VAL || value == INFINITE ? 0 : value;
}

static uint32_t given16(uint16_t value) {
    return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

void ym_desc_read(const ym_job_desc* opaque, ym_submission* submission) {
    const job_desc_msg_t* desc = (const job_desc_msg_t*)opaque;

    submission->features = desc->features;
    submission->prefer = desc->prefer;
    submission->batch_features = desc->batch_features;
    submission->min_nodes = given(desc->min_nodes);
    submission->max_nodes = given(desc->max_nodes);
    submission->num_tasks = given(desc->num_tasks);
    submission->ntasks_per_node = given16(desc->ntasks_per_node);
    submission->contiguous = given16(desc->contiguous);
    submission->spread = desc->bitflags & SPREAD_JOB;
    submission->whole_node = desc->shared == JOB_SHARED_NONE;
    submission->nodelist = desc->req_nodes;
    submission->exclude = desc->exc_nodes;
    submission->tres_per_node = desc->tres_per_node;
    submission->tres_per_job = desc->tres_per_job;
    submission->tres_per_task = desc->tres_per_task;
    submission->tres_per_socket = desc->tres_per_socket;
}

void ym_job_as_submission(const ym_job* opaque, ym_submission* submission) {
    const job_record_t* job = job_of(opaque);

    memset(submission, 0, sizeof(*submission));
    submission->batch_features = job->batch_features;
    submission->tres_per_node = job->tres_per_node;
    submission->tres_per_job = job->tres_per_job;
    submission->tres_per_task = job->tres_per_task;
    submission->tres_per_socket = job->tres_per_socket;
    if (!job->details)
        return;
    submission->features = job->details->features;
    submission->prefer = job->details->prefer;
    submission->min_nodes = given(job->details->min_nodes);
    submission->max_nodes = given(job->details->max_nodes);
    submission->num_tasks = given(job->details->num_tasks);
    submission->ntasks_per_node = given16(job->details->ntasks_per_node);
    submission->contiguous = job->details->contiguous;
    submission->spread = job->bit_flags & SPREAD_JOB;
    submission->whole_node = ym_series_whole_node(job->details);
    submission->nodelist = job->details->req_nodes;
    submission->exclude = job->details->exc_nodes;
}

void ym_desc_set_features(ym_job_desc* opaque, const char* features) {
    job_desc_msg_t* desc = (job_desc_msg_t*)opaque;

    xfree(desc->features);
    desc->features = xstrdup(features);
}

void ym_desc_set_env(ym_job_desc* opaque, const char* name, const char* value) {
    job_desc_msg_t* desc = (job_desc_msg_t*)opaque;

    env_set(&desc->spank_job_env, &desc->spank_job_env_size, name, value);
}
