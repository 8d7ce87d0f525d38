# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(import_test core SOURCES ImportTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(import_agreement_test core SOURCES ImportAgreementTest.cpp
    LIBRARIES kinetoscope_import nlohmann_json::nlohmann_json)
kinetoscope_test(import_damage_test core SOURCES ImportDamageTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(import_files_test core SOURCES ImportFilesTest.cpp
    LIBRARIES kinetoscope_import third_party::zlib third_party::zstd)
kinetoscope_test(import_size_test core SOURCES ImportSizeTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_convert kinetoscope_cut kinetoscope_import third_party::zlib)
kinetoscope_test(import_phases_test core SOURCES ImportPhasesTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(import_readers_test core SOURCES ImportReadersTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(scanner_test core SOURCES ScannerTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(vector_test core SOURCES VectorTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(gzip_libraries_test core SOURCES GzipLibrariesTest.cpp
    LIBRARIES kinetoscope_import third_party::zlib)
kinetoscope_test(read_ahead_test core SOURCES ReadAheadTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(loading_test core SOURCES LoadingTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(live_capture_test core SOURCES LiveCaptureTest.cpp LIBRARIES kinetoscope_import)
kinetoscope_test(capture_damage_test core SOURCES CaptureDamageTest.cpp
    LIBRARIES kinetoscope_compare kinetoscope_convert kinetoscope_json third_party::zlib)
kinetoscope_test(event_argument_test core SOURCES EventArgumentTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_import third_party::zlib)
kinetoscope_test(import_xplane_test core SOURCES ImportXplaneTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_cut kinetoscope_import kinetoscope_json kinetoscope_memory)
kinetoscope_test(import_nsys_test core SOURCES ImportNsysTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_cut kinetoscope_import kinetoscope_json kinetoscope_memory
        kinetoscope_sqlite third_party::sqlite3)
kinetoscope_test(database_events_test core SOURCES DatabaseEventsTest.cpp
    LIBRARIES kinetoscope_cut kinetoscope_import kinetoscope_json kinetoscope_query kinetoscope_sqlite
        third_party::sqlite3)
kinetoscope_test(import_perfetto_test core SOURCES ImportPerfettoTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_cut kinetoscope_import kinetoscope_json third_party::zlib)
kinetoscope_test(import_rocm_test core SOURCES ImportRocmTest.cpp
    LIBRARIES kinetoscope_import kinetoscope_json kinetoscope_query kinetoscope_sqlite third_party::sqlite3)
kinetoscope_test(database_damage_test core SOURCES DatabaseDamageTest.cpp
    LIBRARIES kinetoscope_import kinetoscope_sqlite third_party::sqlite3)
kinetoscope_test(import_tools_test core SOURCES ImportToolsTest.cpp
    LIBRARIES kinetoscope_import kinetoscope_json kinetoscope_query)
kinetoscope_test(perfetto_writer_test core SOURCES PerfettoWriterTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_import)
kinetoscope_test(json_repair_test core SOURCES JsonRepairTest.cpp LIBRARIES kinetoscope_import kinetoscope_json)
kinetoscope_test(perfetto_tracks_test core SOURCES PerfettoTracksTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_cut kinetoscope_import kinetoscope_json kinetoscope_query)
kinetoscope_test(capture_place_test core SOURCES CapturePlaceTest.cpp
    LIBRARIES kinetoscope_convert kinetoscope_import kinetoscope_json kinetoscope_query)
kinetoscope_test(perfetto_cut_test core SOURCES PerfettoCutTest.cpp
    LIBRARIES kinetoscope_analysis kinetoscope_cut kinetoscope_import nlohmann_json::nlohmann_json)
