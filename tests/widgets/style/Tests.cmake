# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(style_test widgets SOURCES StyleTest.cpp LIBRARIES kinetoscope_style window_test_support)
