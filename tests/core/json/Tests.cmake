# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(json_test core SOURCES JsonTest.cpp LIBRARIES kinetoscope_json)
