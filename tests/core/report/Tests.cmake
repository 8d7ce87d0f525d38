# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(export_report_test core SOURCES ExportReportTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_cut kinetoscope_report nlohmann_json::nlohmann_json)
kinetoscope_test(growth_test core SOURCES GrowthTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_cut kinetoscope_ranks kinetoscope_report)
# Two and a half minutes under the thread sanitizer, where nothing else runs.
set_tests_properties(growth_test PROPERTIES COST 110 TIMEOUT 900)
kinetoscope_test(report_output_test core SOURCES ReportOutputTest.cpp
    LIBRARIES kinetoscope_report nlohmann_json::nlohmann_json)
