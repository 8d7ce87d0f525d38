# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(metrics_test core SOURCES MetricsTest.cpp LIBRARIES kinetoscope_metrics)
kinetoscope_test(operators_test core SOURCES OperatorsTest.cpp AnalysisFixture.h
    LIBRARIES kinetoscope_export)
kinetoscope_test(bench_test core SOURCES BenchTest.cpp LIBRARIES kinetoscope_bench)
kinetoscope_test(plan_test core SOURCES PlanTest.cpp LIBRARIES kinetoscope_bench)
add_test(NAME bench_cli COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/golden/bench_cli.py
    $<TARGET_FILE:kscope> $<TARGET_FILE:fake_cuda> $<TARGET_FILE:fake_cupti>
    $<TARGET_FILE:kinetoscope-inject>)
set_tests_properties(bench_cli PROPERTIES LABELS golden TIMEOUT 120)
kinetoscope_test(operator_inputs_test core SOURCES OperatorInputsTest.cpp
    LIBRARIES kinetoscope_bench)
