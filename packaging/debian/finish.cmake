# CPack runs this on the files of all packages before it builds them: what Debian's policy wants of a
# .deb beside what is installed everywhere. RPM's own tools do the same for an .rpm.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()

function(compress)
    if(ARGN)
        execute_process(COMMAND gzip -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
    endif()
endfunction()

file(GLOB docs "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*")
foreach(folder ${docs})
    get_filename_component(package "${folder}" NAME)
    configure_file("${CPACK_YM_DEBIAN_CHANGELOG}" "${folder}/changelog.Debian" COPYONLY)
    compress("${folder}/changelog" "${folder}/changelog.Debian")
    configure_file("${CPACK_YM_DEBIAN_OVERRIDES}"
                   "${folder}/../../lintian/overrides/${package}" COPYONLY)
endforeach()

file(GLOB pages "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/man*/*")
list(FILTER pages EXCLUDE REGEX "\\.gz$")
compress(${pages})
