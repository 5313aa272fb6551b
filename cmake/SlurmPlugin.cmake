# ym_add_slurm_plugin(NAME SOURCES file... ABI file... EXPORTS symbol...)
#
# Builds NAME.so for slurmctld into <build>/lib/yardmaster: C++ SOURCES of the calling room over the
# C files of plugin/abi named by ABI (plus the shim itself). Only EXPORTS are visible. What stays
# undefined is resolved by slurmctld; tests/plugin scans it against what slurmctld really exports.
set(YM_PLUGIN_DIR "${PROJECT_BINARY_DIR}/lib/yardmaster")

function(ym_add_slurm_plugin name)
    cmake_parse_arguments(ARG "" "" "SOURCES;ABI;EXPORTS" ${ARGN})
    set(abi slurm_abi.c ${ARG_ABI})
    list(TRANSFORM abi PREPEND "${PROJECT_SOURCE_DIR}/plugin/abi/")
    add_library(${name} MODULE ${ARG_SOURCES} ${abi})
    set_target_properties(${name} PROPERTIES
        PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${YM_PLUGIN_DIR}")
    target_link_libraries(${name} PRIVATE ym_plugin_common)
    # Slurm's headers use GNU C and are not written for our warnings.
    set_source_files_properties(${abi} PROPERTIES COMPILE_OPTIONS
        "-std=gnu11;-fvisibility=default;-isystem;${YM_SLURM_TREE}")

    list(JOIN ARG_EXPORTS "; " exports)
    set(map "${CMAKE_CURRENT_BINARY_DIR}/${name}.map")
    file(WRITE "${map}" "{ global: ${exports}; local: *; };\n")
    target_link_options(${name} PRIVATE "-Wl,--version-script=${map}")
    set_property(TARGET ${name} PROPERTY LINK_DEPENDS "${map}")
    install(TARGETS ${name} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/yardmaster")
endfunction()
