# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(sqlite_test core SOURCES DatabaseTest.cpp
    LIBRARIES kinetoscope_sqlite third_party::sqlite3)
