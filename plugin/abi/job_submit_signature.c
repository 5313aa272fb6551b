/*
 * Compiled with every build and linked into nothing: Slurm's own table of job_submit operations
 * against what job_submit_entry.c exports. See select_signature.c.
 */
#include "plugin/abi/series.h"

#include YM_JOB_SUBMIT_TABLE

#include "plugin/abi/job_submit_operations.h"

_Static_assert(sizeof(slurm_submit_ops_t) == 2 * sizeof(void*),
               "this Slurm has other job_submit operations than job_submit and job_modify");
_Static_assert(sizeof(syms) == sizeof(slurm_submit_ops_t),
               "this Slurm looks up other symbols than its table of job_submit operations holds");

const slurm_submit_ops_t ym_job_submit_signature = {.submit = job_submit, .modify = job_modify};
