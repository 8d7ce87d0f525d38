# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(compare_match_test core SOURCES CompareMatchTest.cpp LIBRARIES kinetoscope_compare)
kinetoscope_test(compare_steps_test core SOURCES CompareStepsTest.cpp LIBRARIES kinetoscope_compare)
kinetoscope_test(compare_run_test core SOURCES CompareRunTest.cpp
    LIBRARIES kinetoscope_compare nlohmann_json::nlohmann_json)
