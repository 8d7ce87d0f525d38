# SPDX-License-Identifier: Apache-2.0
# kinetoscope_unity(TARGET [HOT] [ALONE FILE…]): with KINETOSCOPE_UNITY, compiles the target's sources two dozen at a time,
# and with them what moc writes.
# HOT: what reads, searches and replays traces; the rest has -Og in the everyday build, which compiles in four fifths of -O1's time.
# ALONE: files that are not joined, because they share a file-local name with another one.
function(kinetoscope_unity target)
    cmake_parse_arguments(UNITY "HOT" "" "ALONE" ${ARGN})
    if(KINETOSCOPE_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
        if(CMAKE_AUTOMOC)
            # Compiled as a part of a joined source and not as one more, which would read all headers again.
            set(mocs ${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp)
            set(joined ${CMAKE_CURRENT_BINARY_DIR}/${target}_mocs.cpp)
            file(CONFIGURE OUTPUT ${joined} CONTENT "#include \"${mocs}\"\n")
            target_sources(${target} PRIVATE ${joined})
            set_source_files_properties(${mocs} PROPERTIES HEADER_FILE_ONLY ON)
            set_source_files_properties(${joined} PROPERTIES SKIP_AUTOGEN ON)
        endif()
        # gcc collects its garbage at 128 MiB already, a seventh of the time of a joined source.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
    endif()
    if(NOT UNITY_HOT)
        set(level -Og)
        set(core ${CMAKE_SOURCE_DIR}/core)
        cmake_path(IS_PREFIX core ${CMAKE_CURRENT_SOURCE_DIR} isCore)
        if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT isCore)
            set(level -O0)  # clang takes -Og for -O1, which takes twice as long; fuzzers need it in core only
        endif()
        target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:${level}>)
    endif()
    # Also for lint, which joins all targets.
    set_source_files_properties(${UNITY_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
