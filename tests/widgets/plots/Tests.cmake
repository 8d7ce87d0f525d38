# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(plots_strip_test widgets SOURCES PlotsStripTest.cpp LIBRARIES kinetoscope_plots window_test_support)
kinetoscope_test_scaled(plots_strip_test)
kinetoscope_test(overview_test widgets SOURCES OverviewTest.cpp LIBRARIES kinetoscope_plots window_test_support)
kinetoscope_test_scaled(overview_test)
