# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(metrics_test core SOURCES MetricsTest.cpp LIBRARIES kinetoscope_metrics)
kinetoscope_test(operators_test core SOURCES OperatorsTest.cpp AnalysisFixture.h
    LIBRARIES kinetoscope_convert kinetoscope_cut kinetoscope_report)
kinetoscope_test(bench_test core SOURCES BenchTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(hostile_result_test core SOURCES HostileResultTest.cpp
    LIBRARIES kinetoscope_bench nlohmann_json::nlohmann_json)
kinetoscope_test(result_document_test core SOURCES ResultDocumentTest.cpp
    LIBRARIES kinetoscope_bench nlohmann_json::nlohmann_json)
kinetoscope_test(bench_workers_test core SOURCES BenchWorkersTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(plan_test core SOURCES PlanTest.cpp LIBRARIES kinetoscope_bench)
add_test(NAME bench_cli COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/golden/bench_cli.py
    $<TARGET_FILE:kscope> $<TARGET_FILE:fake_cuda> $<TARGET_FILE:fake_cupti>
    $<TARGET_FILE:kinetoscope-inject>)
set_tests_properties(bench_cli PROPERTIES LABELS golden TIMEOUT 120)
kinetoscope_test(operator_inputs_test core SOURCES OperatorInputsTest.cpp
    LIBRARIES kinetoscope_bench)
kinetoscope_test(operator_result_test core SOURCES OperatorResultTest.cpp
    LIBRARIES kinetoscope_bench)
# The second argument is there only where kscope-torch is built.
set(operators_cli ${CMAKE_SOURCE_DIR}/tests/golden/operators_cli.py $<TARGET_FILE:kscope>)
if(TARGET kscope-torch)
    list(APPEND operators_cli $<TARGET_FILE:kscope-torch>)
endif()
add_test(NAME operators_cli COMMAND Python3::Interpreter ${operators_cli})
set_tests_properties(operators_cli PROPERTIES LABELS golden TIMEOUT 600)
kinetoscope_test(module_result_test core SOURCES ModuleResultTest.cpp
    LIBRARIES kinetoscope_bench)
add_test(NAME modules_cli COMMAND Python3::Interpreter
    ${CMAKE_SOURCE_DIR}/tests/golden/modules_cli.py $<TARGET_FILE:kscope> ${CMAKE_SOURCE_DIR}/../shared)
set_tests_properties(modules_cli PROPERTIES LABELS golden TIMEOUT 300)
