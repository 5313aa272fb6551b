/*
 * The SPANK plugin's face: C, since SPANK_PLUGIN defines const data, which in C++ nobody else would
 * see. Every hook answers success: ranks are a help, and no reason to end a job.
 */
#include "plugin/spank/spank_hooks.h"

#define YM_EXPORT __attribute__((visibility("default")))

extern YM_EXPORT const char plugin_name[];
extern YM_EXPORT const char plugin_type[];
extern YM_EXPORT const unsigned int plugin_version;
extern YM_EXPORT const unsigned int spank_plugin_version;
SPANK_PLUGIN(yardmaster, 1)

YM_EXPORT int slurm_spank_job_prolog(spank_t spank, int argc, char* argv[]) {
    (void)spank;
    ym_spank_job_prolog(argc, argv);
    return 0;
}

YM_EXPORT int slurm_spank_job_epilog(spank_t spank, int argc, char* argv[]) {
    (void)spank;
    ym_spank_job_epilog(argc, argv);
    return 0;
}

YM_EXPORT int slurm_spank_task_init(spank_t spank, int argc, char* argv[]) {
    ym_spank_task_init(spank, argc, argv);
    return 0;
}
