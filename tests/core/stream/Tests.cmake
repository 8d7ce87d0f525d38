# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(stream_test core SOURCES StreamTest.cpp LIBRARIES kinetoscope_import)
