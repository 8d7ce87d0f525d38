# SPDX-License-Identifier: Apache-2.0
# A PyTorch to compile kscope-torch against: -DTorch_DIR (the folder of TorchConfig.cmake), else the
# one that python3 imports, else Debian's libtorch-dev. Gives the target third_party::torch and
# LibTorch_FOUND. PyTorch's own TorchConfig.cmake is not used: it wants nvcc for every PyTorch that
# was built with CUDA, even where only the CPU is asked for. Without one LibTorch_PROBLEM says why.
set(LibTorch_FOUND FALSE)
set(LibTorch_PROBLEM "no PyTorch found. Install libtorch-dev or give -DTorch_DIR=…/torch/share/cmake/Torch")

if(NOT Torch_DIR)
    find_package(Python3 QUIET COMPONENTS Interpreter)
    if(Python3_FOUND AND NOT DEFINED CACHE{KINETOSCOPE_PYTHON_TORCH})
        execute_process(COMMAND ${Python3_EXECUTABLE} -c
            "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
            OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        set(KINETOSCOPE_PYTHON_TORCH "${found}" CACHE INTERNAL "PyTorch that python3 imports")
    endif()
    set(roots ${KINETOSCOPE_PYTHON_TORCH})
else()
    # Either …/torch/share/cmake/Torch or …/lib/<triplet>/cmake/Torch.
    get_filename_component(roots ${Torch_DIR}/../../.. ABSOLUTE)
endif()

find_path(LibTorch_INCLUDE torch/script.h HINTS ${roots} PATH_SUFFIXES include NO_CMAKE_FIND_ROOT_PATH)
find_path(LibTorch_API_INCLUDE torch/jit.h
    HINTS ${LibTorch_INCLUDE}/torch/csrc/api/include PATHS /usr/include/torch/csrc/api/include)
foreach(name torch torch_cpu c10)
    find_library(LibTorch_${name} ${name} HINTS ${roots} PATH_SUFFIXES lib)
    list(APPEND libraries ${LibTorch_${name}})
endforeach()
if(NOT LibTorch_INCLUDE OR NOT LibTorch_API_INCLUDE OR NOT LibTorch_torch_cpu OR NOT LibTorch_c10)
    return()
endif()

# Programs with both C++ ABIs cannot be mixed; PyTorch's packages have the current one since 2.6.
file(STRINGS ${LibTorch_c10} abi REGEX "__cxx11" LIMIT_COUNT 1)
if(NOT abi)
    set(LibTorch_PROBLEM "${LibTorch_c10} has the C++ ABI of before 2015. It needs PyTorch 2.6 or later, or libtorch-dev")
    return()
endif()

# Streams and locales cross the border to libtorch: a program with a libstdc++ of its own inside
# crashes at the first of them. Some compilers link it statically unasked; one that does not writes
# the library's name into the program's dynamic string table.
set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/LibTorch_stdlib)
file(WRITE ${probe}.cpp "#include <iostream>\nint main() { std::cout << 1.5; }\n")
set(options "")
if(TARGET kinetoscope_settings)
    get_target_property(options kinetoscope_settings INTERFACE_LINK_OPTIONS)
    list(FILTER options INCLUDE REGEX "^-static")
endif()
try_compile(linked ${probe} SOURCES ${probe}.cpp LINK_OPTIONS ${options} COPY_FILE ${probe}.out)
if(linked)
    file(STRINGS ${probe}.out shared REGEX "^lib(std)?c\\+\\+[.]so" LIMIT_COUNT 1)
    if(NOT shared)
        set(LibTorch_PROBLEM "${CMAKE_CXX_COMPILER}, as it is set up here, links libstdc++ statically; a program with \
PyTorch needs the shared one. Choose another compiler, for example -DCMAKE_CXX_COMPILER=g++-13, in a new build folder")
        return()
    endif()
endif()

set(LibTorch_VERSION "")
foreach(header ${LibTorch_INCLUDE}/torch/headeronly/version.h ${LibTorch_API_INCLUDE}/torch/version.h)
    if(EXISTS ${header} AND NOT LibTorch_VERSION)
        file(STRINGS ${header} lines REGEX "define TORCH_VERSION_(MAJOR|MINOR) [0-9]")
        string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
        list(JOIN numbers "." LibTorch_VERSION)
    endif()
endforeach()

add_library(third_party::torch INTERFACE IMPORTED GLOBAL)
target_include_directories(third_party::torch INTERFACE ${LibTorch_INCLUDE} ${LibTorch_API_INCLUDE})

# PyTorch's packages bring headers of a {fmt} of their own, but not its library.
if(EXISTS ${LibTorch_INCLUDE}/fmt/format.h AND NOT LibTorch_INCLUDE STREQUAL "/usr/include")
    target_compile_definitions(third_party::torch INTERFACE FMT_HEADER_ONLY)
endif()

# With the toolkit, or with the headers that come with PyTorch's packages.
get_filename_component(site ${LibTorch_INCLUDE}/../.. ABSOLUTE)
find_library(LibTorch_torch_cuda torch_cuda HINTS ${roots} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(LibTorch_c10_cuda c10_cuda HINTS ${roots} PATH_SUFFIXES lib NO_DEFAULT_PATH)
file(GLOB cuda_packages ${site}/nvidia/cu*/include ${site}/nvidia/cuda_runtime/include)
find_path(LibTorch_CUDA_INCLUDE cuda_runtime_api.h
    HINTS $ENV{CUDA_HOME}/include ${cuda_packages} PATHS /usr/local/cuda/include)
find_library(LibTorch_cudart NAMES cudart libcudart.so.13 libcudart.so.12
    HINTS $ENV{CUDA_HOME}/lib64 ${site}/nvidia PATHS /usr/local/cuda/lib64
    PATH_SUFFIXES cu13/lib cuda_runtime/lib)
if(LibTorch_torch_cuda AND LibTorch_c10_cuda AND LibTorch_CUDA_INCLUDE AND LibTorch_cudart)
    list(APPEND libraries ${LibTorch_torch_cuda} ${LibTorch_c10_cuda} ${LibTorch_cudart})
    target_include_directories(third_party::torch INTERFACE ${LibTorch_CUDA_INCLUDE})
    target_compile_definitions(third_party::torch INTERFACE KINETOSCOPE_TORCH_CUDA)
    set(LibTorch_CUDA TRUE)
endif()
# libtorch and libtorch_cuda register their operators when they are loaded: keep them linked.
target_link_libraries(third_party::torch INTERFACE -Wl,--no-as-needed ${libraries} -Wl,--as-needed)
set(LibTorch_FOUND TRUE)
