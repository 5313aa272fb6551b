/*
 * job_submit/yardmaster as slurmctld 22.05 loads it.
 */
#include "src/common/slurm_xlator.h"

#include "slurm/slurm_errno.h"

#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/abi/job_submit_hooks.h"

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

extern int job_submit(job_desc_msg_t* desc, uint32_t submit_uid, char** err_msg) {
    char message[MESSAGE_BYTES] = "";
    ym_submit_code code = ym_hook_job_submit((ym_job_desc*)desc, message, sizeof(message));

    (void)submit_uid;
    if (code != YM_SUBMIT_OK && err_msg && message[0])
        *err_msg = xstrdup(message);
    return slurm_code(code);
}

/* 22.05 has no way to show scontrol a message: the log must do. */
extern int job_modify(job_desc_msg_t* desc, job_record_t* job, uint32_t submit_uid) {
    char message[MESSAGE_BYTES] = "";
    ym_submit_code code =
        ym_hook_job_modify((ym_job_desc*)desc, (ym_job*)job, message, sizeof(message));

    if (code != YM_SUBMIT_OK)
        info(
            "yardmaster: update of job %u by uid %u refused: %s", job->job_id, submit_uid, message);
    return slurm_code(code);
}
