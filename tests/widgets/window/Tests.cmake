# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(window_test widgets SOURCES WindowTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(compat_window_test widgets SOURCES CompatWindowTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(window_layout_test widgets SOURCES WindowLayoutTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(job_window_test widgets SOURCES JobWindowTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(select_time_test widgets SOURCES SelectTimeTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(navigation_test widgets SOURCES NavigationTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(tasks_test widgets SOURCES TasksTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(large_tasks_test widgets SOURCES LargeTasksTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(compare_window_test widgets SOURCES CompareWindowTest.cpp
    LIBRARIES kinetoscope_window kinetoscope_compare window_test_support)
kinetoscope_test(compare_views_test widgets SOURCES CompareViewsTest.cpp
    LIBRARIES kinetoscope_window kinetoscope_compare window_test_support)
kinetoscope_test(screenshot_test widgets SOURCES ScreenshotTest.cpp
    LIBRARIES kinetoscope_window kinetoscope_compare window_test_support)
kinetoscope_test(session_file_window_test widgets SOURCES SessionFileWindowTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(command_palette_test widgets SOURCES CommandPaletteTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(status_line_test widgets SOURCES StatusLineTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(help_test widgets SOURCES HelpTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(notes_test widgets SOURCES NotesTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(picture_test widgets SOURCES PictureTest.cpp LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(record_window_test widgets SOURCES RecordWindowTest.cpp
    LIBRARIES kinetoscope_window window_test_support)
kinetoscope_test(hostile_text_test widgets SOURCES HostileTextTest.cpp
    LIBRARIES kinetoscope_window kinetoscope_compare window_test_support)
kinetoscope_test(out_of_means_test widgets SOURCES OutOfMeansTest.cpp
    LIBRARIES faults kinetoscope_window window_test_support)
kinetoscope_test_scaled(tasks_test large_tasks_test)
target_compile_definitions(screenshot_test PRIVATE KINETOSCOPE_PROGRAM="$<TARGET_FILE:kinetoscope>")
add_dependencies(screenshot_test kinetoscope)
set_tests_properties(screenshot_test PROPERTIES COST 80)
kinetoscope_test_recording(record_window_test)
