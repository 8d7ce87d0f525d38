# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(export_text_test core SOURCES ExportTextTest.cpp LIBRARIES kinetoscope_report)
kinetoscope_test(export_file_test core SOURCES ExportFileTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_cut kinetoscope_report)
