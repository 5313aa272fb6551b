# The .deb: names, dependencies on exactly one Slurm micro version, and no maintainer scripts.
if(YM_DEB_SLURM STREQUAL "debian")
    set(controller_slurm slurmctld)
    set(node_slurm slurmd)
    set(tools_slurm slurm-client)
elseif(YM_DEB_SLURM STREQUAL "schedmd")
    set(controller_slurm slurm-smd-slurmctld)
    set(node_slurm slurm-smd-slurmd)
    set(tools_slurm slurm-smd-client)
else()
    message(FATAL_ERROR "YM_DEB_SLURM is \"${YM_DEB_SLURM}\": write debian or schedmd")
endif()

string(REGEX MATCH "^([0-9]+\\.[0-9]+)\\.([0-9]+)$" micro_matched "${YM_SLURM_VERSION}")
if(NOT micro_matched)
    message(FATAL_ERROR "Slurm ${YM_SLURM_VERSION}: packages need a version of the form "
                        "major.minor.micro, e.g. 22.05.8")
endif()
math(EXPR next_micro "${CMAKE_MATCH_2} + 1")
set(next_slurm "${CMAKE_MATCH_1}.${next_micro}")

foreach(component ${components})
    string(TOUPPER ${component} upper)
    set(slurm ${${component}_slurm})
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME "${${component}_package}")
    set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_${upper}_DESCRIPTION
        "${${component}_synopsis}\n${about_yardmaster}\n\n${${component}_text}")
    # Any Debian revision of this micro, also a backport (~), and nothing of the next.
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS
        "${slurm} (>= ${YM_SLURM_VERSION}), ${slurm} (<< ${next_slurm}~)")
    # The sets of all micros have the same files: one is installed at a time, and a new one replaces
    # the old one in the same transaction that brings the new Slurm.
    set(CPACK_DEBIAN_${upper}_PACKAGE_PROVIDES "yardmaster-${component} (= ${PROJECT_VERSION})")
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONFLICTS "yardmaster-${component}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_REPLACES "yardmaster-${component}")
endforeach()
set(CPACK_DEBIAN_CONTROLLER_PACKAGE_RECOMMENDS "${tools_package}")
# libibverbs1 with its providers is loaded at run time, where the node has RDMA at all.
set(CPACK_DEBIAN_NODE_PACKAGE_SUGGESTS "${tools_package}, libibverbs1, ibverbs-providers")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${YM_PACKAGE_RELEASE}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)  # a .ddeb beside each .deb; the .deb is stripped

package_date(deb_date "%a, %d %b %Y %H:%M:%S +0000")
configure_file(debian/changelog.in debian/changelog @ONLY)
# finish.cmake finds these in CPack's configuration.
set(CPACK_YM_DEBIAN_CHANGELOG "${CMAKE_CURRENT_BINARY_DIR}/debian/changelog")
set(CPACK_YM_DEBIAN_OVERRIDES "${CMAKE_CURRENT_SOURCE_DIR}/debian/lintian-overrides")
