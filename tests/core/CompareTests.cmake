# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(compare_verdict_test core SOURCES CompareVerdictTest.cpp
    LIBRARIES kinetoscope_compare)
kinetoscope_test(compare_match_test core SOURCES CompareMatchTest.cpp AnalysisFixture.h
    LIBRARIES kinetoscope_compare)
kinetoscope_test(compare_run_test core SOURCES CompareRunTest.cpp AnalysisFixture.h
    LIBRARIES kinetoscope_compare nlohmann_json::nlohmann_json)
kinetoscope_test(mutation_test core SOURCES MutationTest.cpp
    LIBRARIES kinetoscope_compare kinetoscope_convert kinetoscope_json)
kinetoscope_test(result_store_test core SOURCES ResultStoreTest.cpp
    LIBRARIES kinetoscope_compare kinetoscope_convert kinetoscope_json)
