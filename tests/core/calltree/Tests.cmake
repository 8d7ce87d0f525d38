# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(call_tree_test core SOURCES CallTreeTest.cpp
    LIBRARIES kinetoscope_calltree kinetoscope_import kinetoscope_report)
