# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(analysis_busy_test core SOURCES AnalysisBusyTest.cpp LIBRARIES kinetoscope_report)
kinetoscope_test(analysis_launch_test core SOURCES AnalysisLaunchTest.cpp LIBRARIES kinetoscope_report)
kinetoscope_test(analysis_rocm_test core SOURCES AnalysisRocmTest.cpp LIBRARIES kinetoscope_report)
kinetoscope_test(analysis_tables_test core SOURCES AnalysisTablesTest.cpp LIBRARIES kinetoscope_report)
kinetoscope_test(idle_time_test core SOURCES IdleTimeTest.cpp LIBRARIES kinetoscope_report)
kinetoscope_test(compat_test core SOURCES CompatTest.cpp LIBRARIES kinetoscope_report nlohmann_json::nlohmann_json)
kinetoscope_test(operators_test core SOURCES OperatorsTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_cut kinetoscope_report)
