/*
 * job_submit/yardmaster as slurmctld loads it. Series from 23.02 on call it from many threads at
 * once.
 */
#include "src/common/slurm_xlator.h"

#include "slurm/slurm_errno.h"

#include "plugin/abi/series.h"

#include "plugin/abi/job_submit_hooks.h"
#include "plugin/abi/job_submit_operations.h"

#define MESSAGE_BYTES 1024

const char plugin_name[] = "Yardmaster: placement hints in --constraint";
const char plugin_type[] = "job_submit/yardmaster";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

extern int init(void) {
    return SLURM_SUCCESS;
}

extern void fini(void) {}

static int slurm_code(ym_submit_code code) {
    switch (code) {
        case YM_SUBMIT_OK:
            return SLURM_SUCCESS;
        case YM_SUBMIT_BAD_HINT:
            return ESLURM_INVALID_FEATURE;
        case YM_SUBMIT_IMPOSSIBLE:
            return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
        case YM_SUBMIT_ERROR:
            break;
    }
    return ESLURM_INTERNAL;
}

/* Has Slurm show the user why; false where the series has no way to. */
static bool show(char** err_msg, const char* message) {
    if (!err_msg || !message[0])
        return false;
    *err_msg = xstrdup(message);
    return true;
}

extern int job_submit(job_desc_msg_t* desc, uint32_t submit_uid, char** err_msg) {
    char message[MESSAGE_BYTES] = "";
    ym_submit_code code = ym_hook_job_submit((ym_job_desc*)desc, message, sizeof(message));

    (void)submit_uid;
    if (code != YM_SUBMIT_OK)
        show(err_msg, message);
    return slurm_code(code);
}

extern int job_modify YM_JOB_MODIFY_PARAMETERS {
    char message[MESSAGE_BYTES] = "";
    ym_submit_code code =
        ym_hook_job_modify((ym_job_desc*)desc, (ym_job*)job, message, sizeof(message));

    if (code != YM_SUBMIT_OK && !show(YM_JOB_MODIFY_MESSAGE, message))
        info(
            "yardmaster: update of job %u by uid %u refused: %s", job->job_id, submit_uid, message);
    return slurm_code(code);
}
