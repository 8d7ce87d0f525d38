# SPDX-License-Identifier: Apache-2.0
kinetoscope_test(flight_test core SOURCES FlightTest.cpp LIBRARIES kinetoscope_flight)
kinetoscope_test(flight_damage_test core SOURCES FlightDamageTest.cpp LIBRARIES kinetoscope_flight)
