# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=FOLDER -DOUT=FILE -P Commit.cmake: the commit of FOLDER as a header; empty where
# FOLDER is no checkout of its own or there is no git.
cmake_minimum_required(VERSION 3.20)
set(commit "")
if(EXISTS ${SOURCE}/.git)
    execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(commit "")
    endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "// Written by cmake/Commit.cmake.
#pragma once

inline constexpr const char* kCommit = \"@commit@\";
" @ONLY)
