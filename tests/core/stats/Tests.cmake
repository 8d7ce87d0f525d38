# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(duration_histogram_test core SOURCES DurationHistogramTest.cpp LIBRARIES kinetoscope_stats)
kinetoscope_test(compare_verdict_test core SOURCES CompareVerdictTest.cpp LIBRARIES kinetoscope_compare)
