# ym_add_slurm_plugin(NAME [NOT_INSTALLED] HOOKS library ABI file... EXPORTS symbol...)
#
# Builds NAME.so for slurmctld into <build>/lib/yardmaster: the C files of plugin/abi named by ABI
# (plus the shim itself) over the C++ library HOOKS. NOT_INSTALLED: into the calling room's own build
# folder, and into no package. Only EXPORTS are visible. What stays undefined is resolved by
# slurmctld; tests/plugin scans it against what slurmctld really exports.
set(YM_PLUGIN_DIR "${PROJECT_BINARY_DIR}/lib/yardmaster")

# For C files of the calling folder that include Slurm's headers, which use GNU C and are not written
# for our warnings.
function(ym_sees_slurm)
    set_source_files_properties(${ARGN} PROPERTIES
        COMPILE_OPTIONS "-std=gnu11;-fvisibility=default;-isystem;${YM_SLURM_TREE}"
        COMPILE_DEFINITIONS "YM_SERIES_HEADER=\"${YM_SERIES_HEADER}\"")
endfunction()

function(ym_add_slurm_plugin name)
    cmake_parse_arguments(ARG "NOT_INSTALLED" "HOOKS" "ABI;EXPORTS" ${ARGN})
    set(abi slurm_abi.c gpu_marks.c ${ARG_ABI})
    list(TRANSFORM abi PREPEND "${PROJECT_SOURCE_DIR}/plugin/abi/")
    add_library(${name} MODULE ${abi})
    set_target_properties(${name} PROPERTIES PREFIX "")
    target_link_libraries(${name} PRIVATE ${ARG_HOOKS})
    add_dependencies(${name} ym_abi_signatures)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    ym_sees_slurm(${abi})

    list(JOIN ARG_EXPORTS "; " exports)
    set(map "${CMAKE_CURRENT_BINARY_DIR}/${name}.map")
    file(CONFIGURE OUTPUT "${map}" CONTENT "{ global: ${exports}; local: *; };\n")  # no relink when the same
    target_link_options(${name} PRIVATE "-Wl,--version-script=${map}")
    set_property(TARGET ${name} PROPERTY LINK_DEPENDS "${map}")
    if(NOT ARG_NOT_INSTALLED)
        set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${YM_PLUGIN_DIR}")
        install(TARGETS ${name} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/yardmaster"
                COMPONENT controller)
    endif()
endfunction()
