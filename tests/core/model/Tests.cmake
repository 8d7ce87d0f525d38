# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(kernel_counters_test core SOURCES KernelCountersTest.cpp LIBRARIES kinetoscope_report kinetoscope_import)
