# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(timeline_parts_test widgets SOURCES TimelinePartsTest.cpp
    LIBRARIES kinetoscope_timeline window_test_support)
kinetoscope_test(timeline_rows_test widgets SOURCES TimelineRowsTest.cpp
    LIBRARIES kinetoscope_timeline window_test_support)
kinetoscope_test(timeline_widget_test widgets SOURCES TimelineWidgetTest.cpp
    LIBRARIES kinetoscope_timeline window_test_support)
kinetoscope_test(timeline_objects_test widgets SOURCES TimelineObjectsTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(timeline_marks_test widgets SOURCES TimelineMarksTest.cpp
    LIBRARIES kinetoscope_timeline window_test_support)
kinetoscope_test_scaled(timeline_rows_test timeline_widget_test timeline_marks_test)
