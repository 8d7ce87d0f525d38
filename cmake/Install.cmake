# SPDX-License-Identifier: Apache-2.0
# Install rules and packages: kscope (terminal, recorder, documents), kinetoscope (the window), kscope-torch.
include(GNUInstallDirs)
set(packages kscope)
install(TARGETS kscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT kscope)
install(TARGETS kinetoscope-inject LIBRARY DESTINATION lib/kinetoscope COMPONENT kscope)
install(FILES core/capture/kinetoscope.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT kscope)
set(doc ${CMAKE_INSTALL_DATADIR}/doc/kscope)
install(FILES README.md CHANGELOG.md DESTINATION ${doc} COMPONENT kscope)
# Those that the window's welcome page offers (app/kinetoscope/welcome/Samples.cpp).
install(FILES resources/sample.json.gz tests/data/traces/graph_streams.json.gz tests/data/traces/ddp_gpt_rank0.json.gz
    tests/data/traces/ddp_gpt_rank1.json.gz tests/data/flight/nccl_hang_rank0.pickle
    tests/data/flight/nccl_hang_rank1.pickle tests/data/memory/memory_snapshot.pickle tests/data/xplane/jax.xplane.pb
    tests/data/captures/training_steps.kscope.gz tests/data/results/aten_mm.json
    DESTINATION ${CMAKE_INSTALL_DATADIR}/kinetoscope/samples COMPONENT kscope)
install(DIRECTORY LICENSES docs DESTINATION ${doc} COMPONENT kscope FILES_MATCHING
    PATTERN "*.md" PATTERN "*.txt" PATTERN "*.png")
# Inside of every build, or part of the sources that `kscope torch build` compiles.
set(brought libpcre2-dev libfmt-dev nlohmann-json3-dev libexpected-dev)
if(KINETOSCOPE_STATIC)
    # What has no static library travels beside kscope; the licences of all that is inside too.
    if(isal_LIBRARY MATCHES "\\.so$")
        get_filename_component(isal ${isal_LIBRARY} REALPATH)
        file(GLOB isal_name ${isal_LIBRARY}.[0-9])
        get_filename_component(isal_name ${isal_name} NAME)
        install(FILES ${isal} DESTINATION lib/kinetoscope RENAME ${isal_name} COMPONENT kscope)
    endif()
    list(APPEND brought libisal2 libre2-dev libsqlite3-dev libutf8proc-dev libzstd-dev zlib1g-dev libcli11-dev)
endif()
foreach(package ${brought})
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${doc}/LICENSES
        RENAME ${package}.txt COMPONENT kscope OPTIONAL)
endforeach()

# Sources of kscope-torch, with the headers that they need beside PyTorch's.
set(source ${CMAKE_INSTALL_DATADIR}/kinetoscope/source)
install(FILES CMakeLists.txt DESTINATION ${source} COMPONENT kscope)
foreach(file core/bench/run/GpuLock.h core/bench/run/GpuLock.cpp core/capture/kinetoscope.h)
    get_filename_component(folder ${file} DIRECTORY)
    install(FILES ${file} DESTINATION ${source}/${folder} COMPONENT kscope)
endforeach()
foreach(folder cmake core/base core/json core/bench/operators core/bench/torch app/kscope-torch)
    install(DIRECTORY ${folder}/ DESTINATION ${source}/${folder} COMPONENT kscope)
endforeach()
find_path(fmt_HEADERS fmt/core.h REQUIRED)
find_path(nlohmann_HEADERS nlohmann/json.hpp REQUIRED)
foreach(headers ${fmt_HEADERS}/fmt ${nlohmann_HEADERS}/nlohmann ${tl_expected_hpp_DIR}/tl)
    install(DIRECTORY ${headers} DESTINATION ${source}/third_party/include COMPONENT kscope)
endforeach()

# Man pages and completion are what the built programs say of themselves; sanitizers would only make that slow.
if(NOT KINETOSCOPE_SANITIZE AND NOT KINETOSCOPE_FUZZERS)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(manual ${CMAKE_BINARY_DIR}/manual)
    set(told kscope)
    if(TARGET kinetoscope)
        list(APPEND told kinetoscope)
    endif()
    list(TRANSFORM told REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE told_programs)
    add_custom_command(OUTPUT ${manual}/done DEPENDS ${told} ${CMAKE_SOURCE_DIR}/packaging/man_pages.py
        COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/packaging/man_pages.py ${manual} ${told_programs}
        COMMAND ${CMAKE_COMMAND} -E touch ${manual}/done
        COMMENT "Man pages and completion" VERBATIM)
    add_custom_target(manual ALL DEPENDS ${manual}/done)
    install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT kscope
        PATTERN "kinetoscope.1.gz" EXCLUDE)
    if(TARGET kinetoscope)
        install(FILES ${manual}/man1/kinetoscope.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT window)
    endif()
    foreach(place "bash bash-completion/completions kscope" "zsh zsh/vendor-completions _kscope"
            "fish fish/vendor_completions.d kscope.fish")
        separate_arguments(place)
        list(GET place 0 shell)
        list(GET place 1 folder)
        list(GET place 2 name)
        install(FILES ${manual}/completion/${shell} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} RENAME ${name}
            COMPONENT kscope)
    endforeach()
endif()

if(TARGET kinetoscope)
    list(APPEND packages window)
    set(id org.kinetoscope.Kinetoscope)
    install(TARGETS kinetoscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
    install(FILES resources/${id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
    install(FILES resources/icons/kinetoscope.svg RENAME ${id}.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT window)
    install(FILES packaging/${id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
    install(FILES packaging/${id}.mime.xml RENAME ${id}.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT window)
endif()
if(TARGET kscope-torch)
    list(APPEND packages torch)
    install(TARGETS kscope-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT torch)
endif()

set(CPACK_PACKAGE_NAME kscope)
set(CPACK_PACKAGE_VENDOR "The Kinetoscope developers")
set(KINETOSCOPE_MAINTAINER "Kinetoscope developers <maintainers@kinetoscope.invalid>" CACHE STRING
    "Who is asked about the packages: a name and an address")
set(CPACK_PACKAGE_CONTACT ${KINETOSCOPE_MAINTAINER})
# CPack would put any other before each package's own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_KSCOPE_PACKAGE_NAME kscope)
set(CPACK_DEBIAN_KSCOPE_PACKAGE_SUGGESTS "kinetoscope, kscope-torch, cmake (>= 3.25), g++")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME kinetoscope)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "kscope (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_DEBIAN_TORCH_PACKAGE_NAME kscope-torch)
set(CPACK_DEBIAN_TORCH_PACKAGE_DEPENDS "kscope (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_KSCOPE_DESCRIPTION "figures of GPU work: PyTorch profiler traces of any size
Says how busy a GPU was, with what, and why it waited; compares runs, records
CUDA programs and times their kernels, in a terminal, a script or CI.")
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "viewer for traces of GPU work of any size
Opens traces of the PyTorch profiler, Perfetto, Nsight Systems and others: a
timeline with tables of kernels, operators, steps and idle time.")
set(CPACK_COMPONENT_TORCH_DESCRIPTION "benches of PyTorch's operators and modules, for kscope
The engine that kscope bench operators and modules run on, made for the
distribution's PyTorch; kscope torch build makes one for any other.")
# What Debian's policy wants of each package.
set(copyright ${CMAKE_BINARY_DIR}/copyright)
file(CONFIGURE OUTPUT ${copyright} CONTENT "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Kinetoscope

Files: *
Copyright: 2026 The Kinetoscope developers
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

Files: usr/bin/kinetoscope
Copyright: 2026 The Kinetoscope developers
License: GPL-3.0-or-later
 On Debian systems the text is in /usr/share/common-licenses/GPL-3.
")
set(changelog ${CMAKE_BINARY_DIR}/changelog)
file(CONFIGURE OUTPUT ${changelog} CONTENT "kscope (@PROJECT_VERSION@) unstable; urgency=medium

  * What is new stands in /usr/share/doc/kscope/CHANGELOG.md.

 -- @KINETOSCOPE_MAINTAINER@  Mon, 23 Nov 2026 00:00:00 +0000
" @ONLY)
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9nkf ${changelog})
foreach(component ${packages})
    string(TOUPPER ${component} upper)
    install(FILES ${copyright} ${changelog}.gz COMPONENT ${component}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()
include(CPack)
