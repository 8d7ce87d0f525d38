# SPDX-License-Identifier: Apache-2.0
# kinetoscope_unity(TARGET [ALONE FILE…]): compiles the target's sources two dozen at a time where
# KINETOSCOPE_UNITY says so; most of the time goes into headers that they share.
# ALONE are those that have a name of their own that another file uses for something else.
function(kinetoscope_unity target)
    cmake_parse_arguments(UNITY "" "" "ALONE" ${ARGN})
    if(KINETOSCOPE_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
    endif()
    # Also for lint, which joins all targets.
    set_source_files_properties(${UNITY_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
