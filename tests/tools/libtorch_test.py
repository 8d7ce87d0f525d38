#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CMake looks for a PyTorch, and refuses a compiler that links libstdc++ into the program.

usage: libtorch_test.py SOURCE CMAKE COMPILER [unittest options]
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, CMAKE, COMPILER = map(pathlib.Path, sys.argv[1:4])
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(probe CXX)
list(APPEND CMAKE_MODULE_PATH "{SOURCE / "cmake"}")
include(FindLibTorch)
message(STATUS "found: ${{LibTorch_FOUND}}, problem: ${{LibTorch_PROBLEM}}")
"""
# As much of a PyTorch as the search looks at.
TORCH = {"include/torch/script.h": "", "include/torch/csrc/api/include/torch/jit.h": "",
         "include/torch/headeronly/version.h": "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 11\n",
         "lib/libtorch.so": "", "lib/libtorch_cpu.so": "", "lib/libc10.so": "std::__cxx11::string"}


class LibTorchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("CMakeLists.txt", PROJECT)
        for name, text in TORCH.items():
            self.write("torch/" + name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def found(self, compiler=COMPILER, *options):
        done = subprocess.run([CMAKE, "-S", self.folder, "-B", self.folder / "build",
                               f"-DTorch_DIR={self.folder}/torch/share/cmake/Torch",
                               f"-DCMAKE_CXX_COMPILER={compiler}", *options],
                              capture_output=True, text=True, env={**os.environ, "CXXFLAGS": "", "LDFLAGS": ""})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return next(line for line in done.stdout.splitlines() if "found:" in line)

    def test_a_usual_compiler_is_good(self):
        line = self.found()
        if "links libstdc++ statically" in line:
            self.skipTest(line)
        self.assertIn("found: TRUE", line)

    def test_a_compiler_that_links_libstdcxx_statically_is_refused_with_what_to_do(self):
        wrapper = self.write("g++-static", f'#!/bin/sh\nexec "{COMPILER}" -static-libstdc++ "$@"\n')
        wrapper.chmod(0o755)
        line = self.found(wrapper)
        self.assertIn("found: FALSE", line)
        self.assertIn(f"{wrapper}, as it is set up here, links libstdc++ statically", line)
        self.assertIn("-DCMAKE_CXX_COMPILER=g++-13", line)

    def test_so_are_linker_flags_that_do_it(self):
        self.assertIn("found: FALSE", self.found(COMPILER, "-DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++"))

    def test_without_a_pytorch_the_line_says_where_to_get_one(self):
        (self.folder / "torch/lib/libc10.so").write_text("an ABI of before")
        self.assertIn("C++ ABI of before 2015", self.found())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
