/*
 * What the job_submit plugin's C entry calls in C++. Every hook keeps exceptions to itself and may
 * be called from several threads at once (24.11 does).
 */
#ifndef YARDMASTER_PLUGIN_ABI_JOB_SUBMIT_HOOKS_H
#define YARDMASTER_PLUGIN_ABI_JOB_SUBMIT_HOOKS_H

#include <stddef.h>

#include "plugin/abi/slurm_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    YM_SUBMIT_OK,
    YM_SUBMIT_BAD_HINT,   /* the words cannot be taken as hints */
    YM_SUBMIT_IMPOSSIBLE, /* this fabric can never hold such a job */
    YM_SUBMIT_ERROR,
} ym_submit_code;

/* Takes the hints out of `desc`. On refusal `message` (for the user) says why and what to write. */
ym_submit_code ym_hook_job_submit(ym_job_desc* desc, char* message, size_t size);
/* The same for an update of `job` by `desc`. */
ym_submit_code ym_hook_job_modify(ym_job_desc* desc, ym_job* job, char* message, size_t size);

#ifdef __cplusplus
}
#endif

#endif
