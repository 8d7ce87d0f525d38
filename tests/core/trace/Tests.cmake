# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(trace_test core SOURCES TraceTest.cpp LIBRARIES kinetoscope_trace)
