# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(about_test core SOURCES AboutTest.cpp LIBRARIES kinetoscope_about)
