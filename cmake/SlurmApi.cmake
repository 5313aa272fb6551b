# ym_slurm_api: Slurm's public C interface (slurm.h, libslurm.so), for programs. Plugins must not
# link it: slurmctld carries its own copy of everything in it.
find_path(SLURM_INCLUDE_DIR slurm/slurm.h REQUIRED)
find_library(SLURM_LIBRARY slurm REQUIRED)
add_library(ym_slurm_api INTERFACE)
target_include_directories(ym_slurm_api SYSTEM INTERFACE "${SLURM_INCLUDE_DIR}")
target_link_libraries(ym_slurm_api INTERFACE "${SLURM_LIBRARY}")
