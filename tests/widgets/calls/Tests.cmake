# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(flame_graph_test widgets SOURCES FlameGraphTest.cpp LIBRARIES kinetoscope_calls window_test_support)
kinetoscope_test_scaled(flame_graph_test)
