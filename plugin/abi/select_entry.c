/*
 * select/cons_tres as slurmctld loads it: the same name, type and id as the stock plugin, found
 * first through PluginDir. Every operation is stock's, but for the choice of nodes in job_test.
 */
#include "src/common/slurm_xlator.h"

#include "slurm/slurm.h"

#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/select.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/abi/select_hooks.h"
#include "plugin/abi/select_ops_22_05.h"
#include "plugin/abi/slurm_abi.h"
#include "plugin/abi/stock_cons_tres.h"

const char plugin_name[] = "Yardmaster: topology-aware placement in front of select/cons_tres";
const char plugin_type[] = "select/cons_tres";
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* Stock's operations. */
#define DECLARE(type, member, symbol, parameters, arguments) type(*member) parameters;
static struct {
    int (*init)(void);
    int (*fini)(void);
    int(*job_test) YM_JOB_TEST_PARAMETERS;
    int (*job_begin)(job_record_t* job);
    int (*job_fini)(job_record_t* job);
    int (*node_init)(void);
    int (*reconfigure)(void);
    YM_SELECT_FORWARDS(DECLARE)
} stock;

/* Storing through a void pointer is how POSIX has dlsym's function addresses taken. */
static bool resolve(void* where, const char* symbol) {
    void* address = ym_stock_symbol(symbol);

    memcpy(where, &address, sizeof(address));
    return address != NULL;
}

static bool resolve_all(void) {
    bool ok = resolve(&stock.init, "init") & resolve(&stock.fini, "fini") &
              resolve(&stock.job_test, "select_p_job_test") &
              resolve(&stock.job_begin, "select_p_job_begin") &
              resolve(&stock.job_fini, "select_p_job_fini") &
              resolve(&stock.node_init, "select_p_node_init") &
              resolve(&stock.reconfigure, "select_p_reconfigure");

#define RESOLVE(type, member, symbol, parameters, arguments) ok &= resolve(&stock.member, #symbol);
    YM_SELECT_FORWARDS(RESOLVE)
    return ok;
}

extern int init(void) {
    if (ym_stock_open(plugin_type) || !resolve_all())
        return SLURM_ERROR;
    return stock.init();
}

extern int fini(void) {
    int rc = stock.fini ? stock.fini() : SLURM_SUCCESS;

    ym_stock_close();
    return rc;
}

#define FORWARD(type, member, symbol, parameters, arguments) \
    extern type symbol parameters {                          \
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
    ym_host_arguments host = {.to_preempt = to_preempt, .exc_cores = exc_cores};
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

    return ym_hook_job_test(&test);
}

int ym_call_stock(const ym_job_test* test, bool with_preemptees) {
    ym_host_arguments* host = test->host_arguments;

    if (host->to_preempt)
        FREE_NULL_LIST(*host->to_preempt);
    return stock.job_test((job_record_t*)test->job,
                          (bitstr_t*)test->bitmap,
                          test->min_nodes,
                          test->max_nodes,
                          test->req_nodes,
                          test->mode,
                          with_preemptees ? (List)test->preemptees : NULL,
                          host->to_preempt,
                          host->exc_cores);
}

int ym_code_nodes_busy(void) {
    return SLURM_ERROR;
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

/*
 * Slurm finds the operations by name and calls them through this table's types, which no header
 * declares function by function. A signature that drifts fails to compile here.
 */
#define LISTED(type, member, symbol, parameters, arguments) .member = symbol,
static const slurm_select_ops_t signature_check
    __attribute__((unused)) = {.plugin_id = (uint32_t*)&plugin_id,
                               .job_test = select_p_job_test,
                               .job_begin = select_p_job_begin,
                               .job_fini = select_p_job_fini,
                               .node_init = select_p_node_init,
                               .reconfigure = select_p_reconfigure,
                               YM_SELECT_FORWARDS(LISTED)};
