/*
 * What a job_submit plugin exports; Slurm finds it by name and declares it nowhere.
 */
#ifndef YARDMASTER_PLUGIN_ABI_JOB_SUBMIT_OPERATIONS_H
#define YARDMASTER_PLUGIN_ABI_JOB_SUBMIT_OPERATIONS_H

#include "plugin/abi/series.h"

extern int job_submit(job_desc_msg_t* desc, uint32_t submit_uid, char** err_msg);
extern int job_modify YM_JOB_MODIFY_PARAMETERS;

#endif
