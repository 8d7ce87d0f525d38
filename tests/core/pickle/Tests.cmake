# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(pickle_test core SOURCES PickleTest.cpp LIBRARIES kinetoscope_pickle)
