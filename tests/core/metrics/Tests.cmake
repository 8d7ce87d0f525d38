# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(metrics_test core SOURCES MetricsTest.cpp LIBRARIES kinetoscope_metrics kinetoscope_ncu)
kinetoscope_test(compile_tables_test core SOURCES CompileTablesTest.cpp LIBRARIES kinetoscope_metrics)
kinetoscope_test(ncu_numbers_test core SOURCES NcuNumbersTest.cpp LIBRARIES kinetoscope_metrics kinetoscope_ncu)
