/* What spank_entry.c asks of the C++ below it. Nothing here fails or throws: errors go to the log.
 */
#ifndef YARDMASTER_PLUGIN_SPANK_SPANK_HOOKS_H
#define YARDMASTER_PLUGIN_SPANK_SPANK_HOOKS_H

#include <slurm/spank.h>

#ifdef __cplusplus
extern "C" {
#endif

/* argc and argv: the words after the plugin's name in plugstack.conf. */
void ym_spank_job_prolog(int argc, char** argv);
void ym_spank_job_epilog(int argc, char** argv);
void ym_spank_task_init(spank_t spank, int argc, char** argv);

#ifdef __cplusplus
}
#endif

#endif
