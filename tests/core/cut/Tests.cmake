# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(cut_test core SOURCES CutTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_cut kinetoscope_report nlohmann_json::nlohmann_json third_party::zlib)
kinetoscope_test(cut_steps_test core SOURCES CutStepsTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_cut kinetoscope_import)
kinetoscope_test(cut_whole_test core SOURCES CutWholeTest.cpp
    LIBRARIES kinetoscope_cut kinetoscope_import nlohmann_json::nlohmann_json)
kinetoscope_test(cut_mutation_test core SOURCES CutMutationTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_cut kinetoscope_report nlohmann_json::nlohmann_json)
