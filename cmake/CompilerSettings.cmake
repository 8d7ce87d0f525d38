# SPDX-License-Identifier: Apache-2.0
# One interface target that every target of ours links: language level, warnings, sanitizers.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(kinetoscope_settings INTERFACE)
target_compile_features(kinetoscope_settings INTERFACE cxx_std_20)
target_include_directories(kinetoscope_settings INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(kinetoscope_settings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wcast-qual
    # gcc 12 warns of impossible overlaps inside std::string (GCC bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${KINETOSCOPE_WERROR}>:-Werror>)
if(KINETOSCOPE_SANITIZE)
    target_compile_options(kinetoscope_settings INTERFACE
        -fsanitize=${KINETOSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(kinetoscope_settings INTERFACE -fsanitize=${KINETOSCOPE_SANITIZE})
    if(KINETOSCOPE_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # One run time for a program and what it loads, as gcc has it: a program of the tests has an allocator of its own.
        execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
            OUTPUT_VARIABLE sanitizer OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
        cmake_path(GET sanitizer PARENT_PATH sanitizer)
        target_link_options(kinetoscope_settings INTERFACE -shared-libasan -Wl,-rpath,${sanitizer})
    endif()
endif()
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc 12, optimising at link time, warns of an impossible size inside QHash.
    target_link_options(kinetoscope_settings INTERFACE -Wno-alloc-size-larger-than)
endif()
# A fourth of the time of the system's linker, for a hundred test programs; what is shipped is linked by the usual one.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=mold KINETOSCOPE_MOLD)
if(KINETOSCOPE_MOLD AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_link_options(kinetoscope_settings INTERFACE -fuse-ld=mold)
endif()
if(KINETOSCOPE_STATIC)
    target_link_options(kinetoscope_settings INTERFACE -static-libstdc++ -static-libgcc -Wl,--as-needed)
endif()
if(KINETOSCOPE_GLIBC)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(glibc ${CMAKE_BINARY_DIR}/glibc)
    execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/packaging/glibc/make_link_libraries.py ${KINETOSCOPE_GLIBC}
        ${glibc} ${CMAKE_CXX_COMPILER} COMMAND_ERROR_IS_FATAL ANY)
    # Qt and QCustomPlot, as they are here, need this machine's glibc; those that travel along do not. The
    # C++ library stays inside: Qt has the system's. What Qt shares with us, as zstd, may not be hidden from it.
    target_link_options(kinetoscope_settings INTERFACE -L${glibc} -Wl,--wrap=__libc_start_main -Wl,--exclude-libs,libstdc++.a:libgcc.a:libgcc_eh.a
        -Wl,--allow-shlib-undefined "SHELL:-Wl,--push-state,--no-as-needed -lpthread -ldl -lrt -Wl,--pop-state")
endif()
