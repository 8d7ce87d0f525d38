# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(view_history_test widgets SOURCES ViewHistoryTest.cpp
    LIBRARIES kinetoscope_history window_test_support)
