# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(job_view_test widgets SOURCES JobViewTest.cpp LIBRARIES kinetoscope_job window_test_support)
kinetoscope_test_scaled(job_view_test)
