# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(base_test core SOURCES BaseTest.cpp LIBRARIES kinetoscope_text)
kinetoscope_test(threads_test core SOURCES ThreadsTest.cpp LIBRARIES kinetoscope_import kinetoscope_report)
kinetoscope_test(locale_test core SOURCES LocaleTest.cpp LIBRARIES kinetoscope_import kinetoscope_metrics)
