# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(data_table_test widgets SOURCES DataTableTest.cpp LIBRARIES kinetoscope_panels window_test_support)
kinetoscope_test(operators_panel_test widgets SOURCES OperatorsPanelTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(idle_panel_test widgets SOURCES IdlePanelTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(call_tree_panel_test widgets SOURCES CallTreePanelTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(find_panel_test widgets SOURCES FindPanelTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(durations_panel_test widgets SOURCES DurationsPanelTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(kernel_groups_test widgets SOURCES KernelGroupsTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(bench_panel_test widgets SOURCES BenchPanelTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(operator_bench_options_test widgets SOURCES OperatorBenchOptionsTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(torch_bench_test widgets SOURCES TorchBenchTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(roofline_panel_test widgets SOURCES RooflinePanelTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(memory_panel_test widgets SOURCES MemoryPanelTest.cpp LIBRARIES kinetoscope_window window_test_support)
