# Finds a configured Slurm source tree (internal headers) for the Slurm that plugins are built for,
# and refuses series this project does not know. Which those are stands in plugin/abi/series.cmake.
include("${PROJECT_SOURCE_DIR}/plugin/abi/series.cmake")

if(YM_SLURM_SOURCE)
    set(YM_SLURM_TREE "${YM_SLURM_SOURCE}")
else()
    set(YM_SLURM_TREE "${PROJECT_BINARY_DIR}/slurm-source")
    execute_process(COMMAND "${PROJECT_SOURCE_DIR}/cmake/slurm_source.sh" "${YM_SLURM_TREE}"
                    RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "No Slurm source tree: pass -DYM_SLURM_SOURCE=<configured tree>, or "
                            "-DYM_PLUGINS=OFF to build without the plugins")
    endif()
endif()
if(NOT EXISTS "${YM_SLURM_TREE}/config.h" OR NOT EXISTS "${YM_SLURM_TREE}/slurm/slurm_version.h")
    message(FATAL_ERROR "${YM_SLURM_TREE} is no configured Slurm source tree: run ./configure in it")
endif()

file(STRINGS "${YM_SLURM_TREE}/config.h" version_line REGEX "^#define SLURM_VERSION_STRING ")
string(REGEX REPLACE ".*\"([0-9.]+).*\"" "\\1" YM_SLURM_VERSION "${version_line}")
string(REGEX REPLACE "^([0-9]+\\.[0-9]+).*" "\\1" YM_SLURM_SERIES "${YM_SLURM_VERSION}")
if(NOT YM_SLURM_SERIES IN_LIST YM_SUPPORTED_SLURM)
    string(REPLACE ";" ", " supported "${YM_SUPPORTED_SLURM}")
    message(FATAL_ERROR "${YM_SLURM_TREE} is Slurm ${YM_SLURM_VERSION}; this version of Yardmaster "
                        "has plugins for the series ${supported}. Pass -DYM_SLURM_SOURCE=<configured "
                        "tree of one of them>, add the series to plugin/abi (docs/architecture.md), "
                        "or build the programs alone with -DYM_PLUGINS=OFF")
endif()
set(YM_SERIES_HEADER "plugin/abi/series/${YM_SERIES_FILE_${YM_SLURM_SERIES}}")
message(STATUS "Building plugins for Slurm ${YM_SLURM_VERSION} (${YM_SERIES_HEADER})")
