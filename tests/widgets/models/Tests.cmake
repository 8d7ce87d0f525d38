# SPDX-License-Identifier: GPL-3.0-or-later
kinetoscope_test(models_test widgets SOURCES ModelsTest.cpp LIBRARIES kinetoscope_models window_test_support)
kinetoscope_test(model_contract_test widgets SOURCES ModelContractTest.cpp
    LIBRARIES kinetoscope_models window_test_support)
