# package_time: when this version was made, in seconds since 1970: $SOURCE_DATE_EPOCH, else the last
# commit's, else the changelog's. So the same source gives the same packages.
set(package_time "$ENV{SOURCE_DATE_EPOCH}")
if(NOT package_time)
    execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%ct
                    OUTPUT_VARIABLE package_time OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT package_time)
    file(TIMESTAMP "${PROJECT_SOURCE_DIR}/CHANGELOG.md" package_time "%s" UTC)
endif()

# package_date(VARIABLE FORMAT): package_time as `date` writes it, in English and UTC.
function(package_date variable format)
    execute_process(COMMAND env LC_ALL=C date -u -d "@${package_time}" "+${format}"
                    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()
