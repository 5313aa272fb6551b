/*
 * select/cons_tres as slurmctld loads it: the same name, type and id as the stock plugin, found
 * first through PluginDir. Every operation is stock's, but for the choice of nodes in job_test.
 */
#include "src/common/slurm_xlator.h"

#include "plugin/abi/series.h"

#include "plugin/abi/select_hooks.h"
#include "plugin/abi/select_operations.h"
#include "plugin/abi/slurm_abi.h"
#include "plugin/abi/stock_cons_tres.h"

const char plugin_name[] = "Yardmaster: topology-aware placement in front of select/cons_tres";
const char plugin_type[] = "select/cons_tres";
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* Stock's operations. */
#define MEMBER(type, member, symbol, parameters, arguments) type(*member) parameters;
static struct {
    int (*init)(void);
    void (*fini)(void); /* an int in some series, which Slurm ignores too */
    YM_SELECT_OPERATIONS(MEMBER)
} stock;

/* Storing through a void pointer is how POSIX has dlsym's function addresses taken. */
static bool resolve(void* where, const char* symbol) {
    void* address = ym_stock_symbol(symbol);

    memcpy(where, &address, sizeof(address));
    return address != NULL;
}

static bool resolve_all(void) {
    bool ok = resolve(&stock.init, "init") & resolve(&stock.fini, "fini");

#define RESOLVE(type, member, symbol, parameters, arguments) ok &= resolve(&stock.member, #symbol);
    YM_SELECT_OPERATIONS(RESOLVE)
    return ok;
}

extern int init(void) {
    if (ym_stock_open(plugin_type) || !resolve_all())
        return SLURM_ERROR;
    return stock.init();
}

extern void fini(void) {
    if (stock.fini)
        stock.fini();
    ym_stock_close();
}

/* Folded to a constant: the name is a literal. */
static inline bool moves_resources(const char* member) {
    return !strcmp(member, "job_expand") || !strcmp(member, "job_resized") ||
           !strcmp(member, "job_suspend") || !strcmp(member, "job_resume") ||
           !strcmp(member, "update_node_config");
}

#define FORWARD(type, member, symbol, parameters, arguments) \
    extern type symbol parameters {                          \
        if (moves_resources(#member))                        \
            ym_hook_resources_moved();                       \
        return stock.member arguments;                       \
    }
YM_SELECT_FORWARDS(FORWARD)

extern int select_p_node_init(void) {
    ym_hook_nodes_changed();
    return stock.node_init();
}

extern int select_p_reconfigure(void) {
    ym_hook_nodes_changed();
    return stock.reconfigure();
}

extern int select_p_job_test YM_JOB_TEST_PARAMETERS {
    ym_host_arguments host = YM_HOST_ARGUMENTS;
    ym_job_test test = {
        .job = (ym_job*)job,
        .bitmap = (ym_bitmap*)bitmap,
        .min_nodes = min_nodes,
        .max_nodes = max_nodes,
        .req_nodes = req_nodes,
        .mode = mode,
        .preemptees = (ym_list*)preemptees,
        .host_arguments = &host,
    };

    ym_series_window(&host, &test.earliest, &test.latest_end);
    if (test.earliest <= time(NULL))
        test.earliest = 0;
    return ym_hook_job_test(&test);
}

int ym_call_stock(const ym_job_test* test, bool with_preemptees) {
    job_record_t* job = (job_record_t*)test->job;
    ym_host_arguments host = *(const ym_host_arguments*)test->host_arguments;
    uint64_t flag = test->now_only ? TEST_NOW_ONLY & ~job->bit_flags : 0;
    int code;

    if (host.to_preempt)
        FREE_NULL_LIST(*host.to_preempt);
    if (test->now_only)
        ym_series_now_only(&host);
    job->bit_flags |= flag;
    code = stock.job_test(job,
                          (bitstr_t*)test->bitmap,
                          test->min_nodes,
                          test->max_nodes,
                          test->req_nodes,
                          test->mode,
                          with_preemptees ? (ym_slurm_list)test->preemptees : NULL,
                          YM_PASS_HOST_ARGUMENTS(&host));
    job->bit_flags &= ~flag;
    return code;
}

int ym_code_nodes_busy(void) {
    return SLURM_ERROR;
}

bool ym_code_concerns_nodes(int code) {
    return ym_series_code_concerns_nodes(code);
}

extern int select_p_job_begin(job_record_t* job) {
    int rc = stock.job_begin(job);

    if (rc == SLURM_SUCCESS)
        ym_hook_job_begin((ym_job*)job);
    return rc;
}

extern int select_p_job_fini(job_record_t* job) {
    ym_hook_job_fini((ym_job*)job);
    return stock.job_fini(job);
}
