# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(capture_test core SOURCES CaptureTest.cpp LIBRARIES kinetoscope_capture)
kinetoscope_test(record_test core SOURCES RecordTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(record_harm_test core SOURCES RecordHarmTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test_recording(record_test)
kinetoscope_test_recording(record_harm_test)
