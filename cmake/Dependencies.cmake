# SPDX-License-Identifier: Apache-2.0
# Third-party libraries as imported targets, all from the distribution's packages.
find_package(Threads REQUIRED)
# Sources of kscope-torch as they are installed bring the headers that they need.
set(brought ${CMAKE_SOURCE_DIR}/third_party/include)
if(KINETOSCOPE_TORCH_ONLY AND EXISTS ${brought})
    foreach(target fmt::fmt nlohmann_json::nlohmann_json)
        add_library(${target} INTERFACE IMPORTED GLOBAL)
        target_include_directories(${target} INTERFACE ${brought})
    endforeach()
    target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
    return()
endif()
find_package(nlohmann_json REQUIRED)
if(KINETOSCOPE_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
    # Sources that use it compile as they do with the shared one.
    add_library(kinetoscope_fmt STATIC cmake/fmt_static.cpp)
    target_compile_features(kinetoscope_fmt PUBLIC cxx_std_20)
    target_compile_definitions(kinetoscope_fmt PUBLIC FMT_SHARED)
    add_library(fmt::fmt ALIAS kinetoscope_fmt)
else()
    find_package(fmt REQUIRED)
endif()

# Header-only ones without a CMake package of their own on every distribution.
if(KINETOSCOPE_TORCH_ONLY)
    find_path(tl_expected_hpp_DIR tl/expected.hpp REQUIRED)
    return()
endif()
foreach(header tl/expected.hpp CLI/CLI.hpp protozero/varint.hpp)
    string(MAKE_C_IDENTIFIER ${header} name)
    find_path(${name}_DIR ${header} REQUIRED)
endforeach()

# kinetoscope_library(NAME LIBRARY HEADER [OPTIONAL]): an imported target third_party::NAME.
function(kinetoscope_library name library header)
    find_library(${name}_LIBRARY ${library})
    find_path(${name}_INCLUDE ${header})
    if(${name}_LIBRARY AND ${name}_INCLUDE)
        add_library(third_party::${name} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(third_party::${name} PROPERTIES
            IMPORTED_LOCATION ${${name}_LIBRARY}
            INTERFACE_INCLUDE_DIRECTORIES ${${name}_INCLUDE})
    elseif(NOT "OPTIONAL" IN_LIST ARGN)
        message(FATAL_ERROR "${library} (${header}) not found; ./dev build installs it")
    endif()
endfunction()
kinetoscope_library(zlib z zlib.h)
kinetoscope_library(zstd zstd zstd.h)
kinetoscope_library(re2 re2 re2/re2.h)
kinetoscope_library(utf8proc utf8proc utf8proc.h)
kinetoscope_library(sqlite3 sqlite3 sqlite3.h)
# What its static library asks for.
set_property(TARGET third_party::sqlite3 PROPERTY INTERFACE_LINK_LIBRARIES
    Threads::Threads ${CMAKE_DL_LIBS} m)

# Inside of recorded programs only what is linked statically cannot be mixed up with a library of
# theirs. Debian's libre2.a does not fit into a shared library (thread-local variables of a
# program's own), PCRE2's does.
find_library(pcre2_LIBRARY libpcre2-8.a)
find_path(pcre2_INCLUDE pcre2.h)
if(NOT pcre2_LIBRARY OR NOT pcre2_INCLUDE)
    message(FATAL_ERROR "libpcre2-8.a (pcre2.h) not found; ./dev build installs libpcre2-dev")
endif()
add_library(third_party::pcre2 STATIC IMPORTED GLOBAL)
set_target_properties(third_party::pcre2 PROPERTIES IMPORTED_LOCATION ${pcre2_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${pcre2_INCLUDE} INTERFACE_COMPILE_DEFINITIONS PCRE2_STATIC)

# ISA-L reads and writes gzip four times as fast as zlib, which does it where ISA-L is missing.
set(KINETOSCOPE_ISAL AUTO CACHE STRING "Use ISA-L for gzip: AUTO (where it is installed), ON or OFF")
set_property(CACHE KINETOSCOPE_ISAL PROPERTY STRINGS AUTO ON OFF)
if(KINETOSCOPE_ISAL STREQUAL AUTO)
    kinetoscope_library(isal isal isa-l/igzip_lib.h OPTIONAL)
elseif(KINETOSCOPE_ISAL)
    kinetoscope_library(isal isal isa-l/igzip_lib.h)
endif()
set(KINETOSCOPE_WITH_ISAL FALSE)
if(TARGET third_party::isal)
    set(KINETOSCOPE_WITH_ISAL TRUE)
endif()

if(KINETOSCOPE_WINDOW)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets PrintSupport Svg Test)
    find_package(QCustomPlotQt6 REQUIRED)
endif()
