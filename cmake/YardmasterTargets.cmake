# The project's targets are made through these functions, so that every room is built alike.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(ym_compile_options INTERFACE)
target_include_directories(ym_compile_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(ym_compile_options INTERFACE
    -Wall -Wextra -Werror -fvisibility=hidden
    $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
target_compile_definitions(ym_compile_options INTERFACE YM_VERSION="${PROJECT_VERSION}")
if(YM_SANITIZE)
    target_compile_options(ym_compile_options INTERFACE
        -fsanitize=${YM_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(ym_compile_options INTERFACE -fsanitize=${YM_SANITIZE})
endif()

# ym_add_library(NAME SOURCE...): a static library of one room.
function(ym_add_library name)
    add_library(${name} STATIC ${ARGN})
    target_link_libraries(${name} PUBLIC ym_compile_options)
endfunction()

# ym_add_executable(NAME SOURCE...): a program that is installed or used by tests.
function(ym_add_executable name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE ym_compile_options)
    # Not for plugins: Slurm's commands load them without the functions of slurmctld.
    target_link_options(${name} PRIVATE -Wl,-z,relro,-z,now)
endfunction()
