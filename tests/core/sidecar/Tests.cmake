# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(sidecar_test core SOURCES SidecarTest.cpp LIBRARIES kinetoscope_sidecar)
kinetoscope_test(session_file_test core SOURCES SessionFileTest.cpp LIBRARIES kinetoscope_sidecar)
