# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(faint_test core SOURCES FaintTest.cpp LIBRARIES kinetoscope_ranks)
kinetoscope_test(merge_causes_test core SOURCES MergeCausesTest.cpp LIBRARIES kinetoscope_ranks)
kinetoscope_test(partial_test core SOURCES PartialTest.cpp LIBRARIES kinetoscope_ranks kinetoscope_json)
kinetoscope_test(shared_work_test core SOURCES SharedWorkTest.cpp LIBRARIES kinetoscope_ranks)
