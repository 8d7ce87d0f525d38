# SPDX-License-Identifier: Apache-2.0
# Install rules of kscope and the packages; app/kinetoscope installs the window's own files.
include(GNUInstallDirs)
install(TARGETS kscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET kscope-torch)
    install(TARGETS kscope-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS kinetoscope-inject LIBRARY DESTINATION lib/kinetoscope)
install(FILES core/capture/kinetoscope.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES README.md CHANGELOG.md resources/sample.json.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY LICENSES docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
    PATTERN "*.md" PATTERN "*.txt" PATTERN "*.png")
# PCRE2 is inside of every build.
install(FILES /usr/share/doc/libpcre2-dev/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/LICENSES
    RENAME libpcre2-dev.txt OPTIONAL)

if(KINETOSCOPE_STATIC)
    # What has no static library travels beside kscope; the licences of all that is inside too.
    if(isal_LIBRARY MATCHES "\\.so$")
        get_filename_component(isal ${isal_LIBRARY} REALPATH)
        file(GLOB isal_name ${isal_LIBRARY}.[0-9])
        get_filename_component(isal_name ${isal_name} NAME)
        install(FILES ${isal} DESTINATION lib/kinetoscope RENAME ${isal_name})
    endif()
    foreach(package libisal2 libfmt-dev libre2-dev libsqlite3-dev libzstd-dev zlib1g-dev
            nlohmann-json3-dev libcli11-dev)
        install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/LICENSES
            RENAME ${package}.txt OPTIONAL)
    endforeach()
endif()

set(CPACK_PACKAGE_VENDOR "The Kinetoscope developers")
set(CPACK_PACKAGE_CONTACT "The Kinetoscope developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "viewer for GPU work: PyTorch profiler traces of any size")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
if(KINETOSCOPE_WINDOW)
    set(CPACK_PACKAGE_NAME kinetoscope)
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core)
else()
    set(CPACK_PACKAGE_NAME kscope)
endif()
include(CPack)
