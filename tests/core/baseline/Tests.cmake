# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(sequential_compare_test core SOURCES SequentialCompareTest.cpp LIBRARIES kinetoscope_baseline)
