# SPDX-License-Identifier: Apache-2.0
# Install rules of kscope and the packages; app/kinetoscope installs the window's own files.
include(GNUInstallDirs)
install(TARGETS kscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md resources/sample.json.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY LICENSES docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
    PATTERN "*.md" PATTERN "*.txt" PATTERN "*.png")

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
