# SPDX-License-Identifier: Apache-2.0
# kinetoscope_unity(TARGET [HOT] [ALONE FILE…]): with KINETOSCOPE_UNITY, compiles the target's sources two dozen at a time.
# HOT: what reads and searches traces; the rest has -O1 in the everyday build, which compiles in four fifths of the time.
# ALONE: files that are not joined, because they share a file-local name with another one.
function(kinetoscope_unity target)
    cmake_parse_arguments(UNITY "HOT" "" "ALONE" ${ARGN})
    if(KINETOSCOPE_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
    endif()
    if(NOT UNITY_HOT)
        target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    endif()
    # Also for lint, which joins all targets.
    set_source_files_properties(${UNITY_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
