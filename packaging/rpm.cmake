# The .rpm: the names and the one-version rule of SchedMD's own slurm.spec, and no scriptlets.
set(controller_rpm_slurm slurm-slurmctld)
set(node_rpm_slurm slurm-slurmd)
set(tools_rpm_slurm slurm)

foreach(component ${components})
    string(TOUPPER ${component} upper)
    set(CPACK_RPM_${upper}_PACKAGE_NAME "${${component}_package}")
    set(CPACK_RPM_${upper}_FILE_NAME RPM-DEFAULT)
    set(CPACK_RPM_${upper}_PACKAGE_SUMMARY "${${component}_synopsis}")
    set(CPACK_RPM_${upper}_PACKAGE_DESCRIPTION "${about_yardmaster}\n\n${${component}_text}")
    set(CPACK_RPM_${upper}_PACKAGE_REQUIRES "${${component}_rpm_slurm} = ${YM_SLURM_VERSION}")
    # See deb.cmake. dnf removes the old set with --allowerasing, or `dnf swap`.
    set(CPACK_RPM_${upper}_PACKAGE_PROVIDES "yardmaster-${component} = ${PROJECT_VERSION}")
    set(CPACK_RPM_${upper}_PACKAGE_CONFLICTS "yardmaster-${component}")
endforeach()

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_PACKAGE_GROUP "System Environment/Base")
set(CPACK_RPM_PACKAGE_LICENSE "GPL-2.0-or-later AND BSD-3-Clause")
set(CPACK_RPM_PACKAGE_RELEASE "${YM_PACKAGE_RELEASE}")
set(CPACK_RPM_PACKAGE_RELEASE_DIST ON)
set(CPACK_RPM_PACKAGE_RELOCATABLE OFF)  # slurm.conf names our files by their path
set(CPACK_RPM_PACKAGE_AUTOREQ ON)
set(CPACK_RPM_PACKAGE_AUTOPROV OFF)  # a plugin is nobody's library
# No links outside our folders, and the same times from the same source.
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1")
# Folders that are not ours; CPack would have the packages own every folder on their files' paths.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr/${CMAKE_INSTALL_LIBDIR} /usr/libexec /usr/share/bash-completion
    /usr/share/bash-completion/completions /usr/share/man /usr/share/man/man1 /usr/share/man/man5
    /usr/share/man/man7 /usr/share/man/man8)

package_date(rpm_date "%a %b %d %Y")
configure_file(rpm_changelog.in rpm_changelog @ONLY)
set(CPACK_RPM_CHANGELOG_FILE "${CMAKE_CURRENT_BINARY_DIR}/rpm_changelog")
