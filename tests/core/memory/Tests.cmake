# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(snapshot_test core SOURCES SnapshotTest.cpp LIBRARIES kinetoscope_memory)
kinetoscope_test(trace_memory_test core SOURCES TraceMemoryTest.cpp LIBRARIES kinetoscope_memory)
kinetoscope_test(block_stacks_test core SOURCES BlockStacksTest.cpp LIBRARIES kinetoscope_memory)
