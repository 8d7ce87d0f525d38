# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(bench_test core SOURCES BenchTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(bench_workers_test core SOURCES BenchWorkersTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(hostile_result_test core SOURCES HostileResultTest.cpp
    LIBRARIES kinetoscope_bench nlohmann_json::nlohmann_json)
kinetoscope_test(module_result_test core SOURCES ModuleResultTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(operator_inputs_test core SOURCES OperatorInputsTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(operator_result_test core SOURCES OperatorResultTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(placement_test core SOURCES PlacementTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(plan_test core SOURCES PlanTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(block_sizes_test core SOURCES BlockSizesTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(result_document_test core SOURCES ResultDocumentTest.cpp
    LIBRARIES kinetoscope_bench nlohmann_json::nlohmann_json)
kinetoscope_test(result_store_test core SOURCES ResultStoreTest.cpp
    LIBRARIES kinetoscope_compare kinetoscope_convert kinetoscope_json)
kinetoscope_test(mutation_test core SOURCES MutationTest.cpp
    LIBRARIES kinetoscope_compare kinetoscope_convert kinetoscope_json)
