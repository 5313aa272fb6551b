# The series of Slurm that the plugins can be built for, each with the file in plugin/abi/series that
# carries what is particular to it. A series is listed when the plugins have been compiled for it.
set(YM_SERIES_FILE_22.05 slurm_22_05.h)
set(YM_SERIES_FILE_24.11 slurm_24_11.h)
set(YM_SERIES_FILE_25.05 slurm_25_05.h)
set(YM_SERIES_FILE_25.11 slurm_25_05.h)
set(YM_SERIES_FILE_26.05 slurm_25_05.h)
set(YM_SUPPORTED_SLURM 22.05 24.11 25.05 25.11 26.05)
