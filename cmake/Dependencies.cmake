# SPDX-License-Identifier: Apache-2.0
# Third-party libraries as imported targets, all from the distribution's packages.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

if(KINETOSCOPE_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
endif()

# Header-only ones without a CMake package of their own on every distribution.
if(KINETOSCOPE_TORCH_ONLY)
    find_path(tl_expected_hpp_DIR tl/expected.hpp REQUIRED)
    return()
endif()
foreach(header tl/expected.hpp CLI/CLI.hpp)
    string(MAKE_C_IDENTIFIER ${header} name)
    find_path(${name}_DIR ${header} REQUIRED)
endforeach()

# kinetoscope_library(NAME LIBRARY HEADER): an imported target KINETOSCOPE::NAME.
function(kinetoscope_library name library header)
    find_library(${name}_LIBRARY ${library})
    find_path(${name}_INCLUDE ${header})
    if(${name}_LIBRARY AND ${name}_INCLUDE)
        add_library(third_party::${name} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(third_party::${name} PROPERTIES
            IMPORTED_LOCATION ${${name}_LIBRARY}
            INTERFACE_INCLUDE_DIRECTORIES ${${name}_INCLUDE})
    else()
        message(FATAL_ERROR "${library} (${header}) not found; ./dev build installs it")
    endif()
endfunction()
kinetoscope_library(zlib z zlib.h)
kinetoscope_library(zstd zstd zstd.h)
kinetoscope_library(isal isal isa-l/igzip_lib.h)
kinetoscope_library(re2 re2 re2/re2.h)

if(KINETOSCOPE_WINDOW)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets PrintSupport Svg Test)
    find_package(QCustomPlotQt6 REQUIRED)
endif()
