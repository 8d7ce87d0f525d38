# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(session_test widgets SOURCES SessionTest.cpp LIBRARIES kinetoscope_session window_test_support)
kinetoscope_test(view_state_test widgets SOURCES ViewStateTest.cpp LIBRARIES kinetoscope_session window_test_support)
