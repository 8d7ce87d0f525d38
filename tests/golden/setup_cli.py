#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kscope doctor, torch build and completion as a user runs them:
setup_cli.py KSCOPE FAKE_DRIVER_FOLDER FAKE_CUPTI FAKE_NVML CMAKE SOURCE [unittest options]. Drivers and PyTorch are
stand-ins."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

KSCOPE, DRIVER, CUPTI, NVML, CMAKE, SOURCE = (sys.argv.pop(1) for _ in range(6))
SHELL_PATH = "/usr/bin:/bin"

# Says what kscope-torch says of itself when it is asked for nothing that it knows.
HELPER = """#!/bin/sh
cat > /dev/null
echo '{"event": "torch", "version": "2.9.1", "device": "cpu"}'
echo '{"event": "failed", "message": "unknown task"}'
"""
# As much of a PyTorch as its search and the probe of Python look at.
TORCH = {"__init__.py": "raise SystemExit('nobody may import it')", "version.py": "__version__ = '2.9.1+cu130'\ncuda = '13.0'\n",
         "include/torch/script.h": "", "include/torch/csrc/api/include/torch/jit.h": "",
         "lib/libtorch.so": "", "lib/libtorch_cpu.so": "", "lib/libc10.so": "std::__cxx11::string"}
# In place of our sources: it finds PyTorch as they do, and compiles a program that stands in for kscope-torch.
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(probe CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${{CMAKE_BINARY_DIR}}/bin)
list(APPEND CMAKE_MODULE_PATH "{SOURCE}/cmake")
include(FindLibTorch)
if(NOT LibTorch_FOUND OR NOT KINETOSCOPE_TORCH_ONLY)
    message(FATAL_ERROR "cannot be built: ${{LibTorch_PROBLEM}}")
endif()
add_executable(kscope-torch app/kscope-torch/main.cpp)
"""
PROGRAM = """#include <cstdio>
int main() {
    while (std::getchar() != EOF) {}
    std::puts(R"({"event": "torch", "version": "2.9.1", "device": "cpu"})");
    std::puts(R"({"event": "failed", "message": "unknown task"})");
}
"""


class SetupTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {"HOME": str(self.folder / "home"), "PATH": SHELL_PATH, "LANG": "C.UTF-8"}

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def run_kscope(self, *arguments, **more):
        return subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, text=True, timeout=250,
                              cwd=self.folder, env={**self.environment, **{k: str(v) for k, v in more.items()}})

    def good(self, *arguments, **more):
        done = self.run_kscope(*arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def python_with_torch(self):
        """A Python that finds the stand-in for PyTorch."""
        for name, text in TORCH.items():
            self.write("site/torch/" + name, text)
        return self.write("python", f'#!/bin/sh\nPYTHONPATH="{self.folder}/site" exec "{sys.executable}" "$@"\n', 0o755)


class DoctorTest(SetupTest):
    def checks(self, *arguments, **more):
        answer = json.loads(self.good("doctor", "--json", *arguments, **more))["checks"]
        return {check["name"]: check for check in answer}

    def test_a_bare_machine_gets_something_to_do_for_each_line(self):
        window = self.write("bin/kinetoscope", "#!/bin/sh\necho error while loading: libQt6Widgets.so.6\nexit 127\n", 0o755)
        checks = self.checks("--python", "/nowhere/python", KINETOSCOPE_NVML="/nowhere/nvml.so",
                             KINETOSCOPE_CUPTI="/nowhere/cupti.so", KINETOSCOPE_TORCH="/nowhere/kscope-torch",
                             KINETOSCOPE_INJECT="/nowhere/inject.so", PATH=f"{window.parent}:{SHELL_PATH}")
        self.assertEqual(list(checks), ["NVIDIA driver", "NVML", "CUPTI", "NVRTC", "recorder", "counters", "PyTorch",
                                        "kscope-torch", "window and Qt", "display", "fonts"])
        for name in ("NVML", "CUPTI", "recorder", "PyTorch", "kscope-torch", "display"):
            self.assertEqual(checks[name]["state"], "missing", checks[name])
            self.assertTrue(checks[name]["problem"] and checks[name]["remedy"] and checks[name]["purpose"], name)
        self.assertIn("/nowhere/cupti.so", checks["CUPTI"]["problem"] + checks["CUPTI"]["remedy"] + "/nowhere/cupti.so")
        self.assertIn("/nowhere/inject.so", checks["recorder"]["problem"])
        self.assertIn("/nowhere/python", checks["PyTorch"]["problem"])
        self.assertEqual(checks["kscope-torch"]["remedy"], "kscope torch build --python /nowhere/python")
        # Beside this kscope there may be a window; the one of PATH is taken only without it.
        if not (pathlib.Path(KSCOPE).parent / "kinetoscope").exists():
            self.assertIn("libQt6Widgets.so.6", checks["window and Qt"]["problem"])

    def test_what_is_there_says_version_and_path(self):
        helper = self.write("kscope-torch", HELPER, 0o755)
        checks = self.checks("--python", self.python_with_torch(), KINETOSCOPE_NVML=NVML, KINETOSCOPE_CUPTI=CUPTI,
                             KINETOSCOPE_TORCH=helper, DISPLAY=":7")
        for name, version, path in (("NVML", "580.00.42", NVML), ("PyTorch", "2.9.1+cu130 for CUDA 13.0 of Python", "site/torch"),
                                    ("kscope-torch", "PyTorch 2.9.1 on cpu", str(helper)), ("display", "DISPLAY=:7", "")):
            self.assertEqual(checks[name]["state"], "good", checks[name])
            self.assertIn(version, checks[name]["version"])
            self.assertIn(path, checks[name]["path"])
        self.assertEqual(checks["CUPTI"]["path"], CUPTI)

    def test_an_old_driver_and_a_kscope_torch_of_another_pytorch_are_told(self):
        helper = self.write("kscope-torch", HELPER.replace("2.9.1", "2.1.0"), 0o755)
        python = self.python_with_torch()
        checks = self.checks("--python", python, KINETOSCOPE_TORCH=helper, LD_LIBRARY_PATH=DRIVER)
        self.assertIn("too old", checks["NVIDIA driver"]["problem"])
        self.assertIn("install a driver of CUDA 12", checks["NVIDIA driver"]["remedy"])
        self.assertEqual(checks["kscope-torch"]["state"], "look")
        self.assertIn("another PyTorch than the 2.9.1+cu130", checks["kscope-torch"]["problem"])
        self.assertIn(f"kscope torch build --python {python}", checks["kscope-torch"]["remedy"])

    def test_cupti_of_pytorch_counts(self):
        python = self.python_with_torch()
        library = self.write("site/nvidia/cuda_cupti/lib/libcupti.so.12", "")
        found = self.checks("--python", python, KINETOSCOPE_CUPTI="/nowhere/cupti.so")["CUPTI"]
        self.assertEqual((found["state"], found["path"]), ("good", str(library)))

    def test_files_of_the_working_folder_are_not_run(self):
        self.write("json.py", f"open({str(self.folder / 'ran')!r}, 'w')")
        self.write("torch/__init__.py", "")
        self.write("torch/version.py", f"open({str(self.folder / 'ran')!r}, 'w')")
        self.checks("--python", sys.executable)
        self.assertFalse((self.folder / "ran").exists())

    def test_the_text_has_a_line_for_each(self):
        text = self.good("doctor", "--python", "/nowhere/python")
        self.assertRegex(text, r"(?m)^missing +PyTorch +for recording")
        self.assertIn("→ install Python, or name yours", text)
        self.assertRegex(text, r"\n\d+ of 11 good; none of them is needed to read and compare traces\n\Z")


class TorchBuildTest(SetupTest):
    def setUp(self):
        super().setUp()
        self.write("source/CMakeLists.txt", PROJECT)
        self.write("source/app/kscope-torch/main.cpp", PROGRAM)
        self.write("bin/cmake", f'#!/bin/sh\nexec "{CMAKE}" "$@"\n', 0o755)
        self.environment["KINETOSCOPE_SOURCE"] = str(self.folder / "source")
        self.environment["PATH"] = f"{self.folder}/bin:{SHELL_PATH}"

    def test_one_command_and_kscope_uses_it(self):
        made = self.good("torch", "build", "--python", self.python_with_torch())
        self.assertRegex(made, r"\Akscope-torch for PyTorch 2\.9\.1 on cpu: .*/home/\.local/share/kinetoscope/kscope-torch-\S+\n\Z")
        path = made.split(": ")[1].strip()
        self.assertTrue(os.access(path, os.X_OK))
        about = json.loads(self.good("about", "--json"))["components"]
        self.assertEqual(next(part["path"] for part in about if part["name"] == "kscope-torch"), path)

    def test_a_compiler_that_links_libstdcxx_statically_gives_way_to_another(self):
        self.write("bin/c++", '#!/bin/sh\nexec /usr/bin/g++ -static-libstdc++ "$@"\n', 0o755)
        done = self.run_kscope("torch", "build", "--python", self.python_with_torch())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("that compiler links libstdc++ statically", done.stderr)
        self.assertIn("configuring for /usr/bin/g++", done.stderr)

    def test_what_cannot_be_built_leaves_what_was_there(self):
        python = self.python_with_torch()
        for name, text, line in (("app/kscope-torch/main.cpp", "int main() { return nonsense; }", "nonsense"),
                                 ("app/kscope-torch/main.cpp", "int main() { return 3; }", "does not run"),
                                 ("CMakeLists.txt", "message(FATAL_ERROR gone)", "gone")):
            self.write("source/" + name, text)
            self.write("kept", "before")
            done = self.run_kscope("torch", "build", "--python", python, "-o", self.folder / "kept")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(line, done.stderr)
            self.assertEqual((self.folder / "kept").read_text(), "before")
            self.assertEqual([p.name for p in self.folder.glob("kept*")], ["kept"])

    def test_wrong_words(self):
        for line, *words in (("/nowhere/python", "--python", "/nowhere/python"), ("no PyTorch", "--python", self.bare_python())):
            done = self.run_kscope("torch", "build", *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(line, done.stderr)
        self.assertEqual(self.run_kscope("torch").returncode, 2)
        done = self.run_kscope("torch", "build", KINETOSCOPE_SOURCE="/nowhere")
        self.assertIn("'/nowhere': holds no sources", done.stderr)

    def bare_python(self):
        return self.write("bare", f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n', 0o755)


def help_of(*words):
    """Options and parts of a command, from its --help."""
    text = subprocess.run([KSCOPE, *words, "--help"], capture_output=True, text=True, check=True).stdout
    text = text.split("Exit code")[0]
    names = set()
    for line in re.findall(r"(?m)^  (-\S+)", text):
        names.update(name.split("{")[0] for name in line.split(",") if name.startswith("-"))  # --no-backward{false}
    parts = re.search(r"(?ms)^Subcommands:\n(.*?)(\n\n|\Z)", text)
    return names, re.findall(r"(?m)^  ([a-z]+)", parts.group(1)) if parts else []


def all_commands(*words):
    names, parts = help_of(*words)
    yield words, names, parts
    for part in parts:
        yield from all_commands(*words, part)


class CompletionTest(SetupTest):
    def completed(self, *words):
        """What bash offers for the last word."""
        script = self.write("kscope.bash", self.good("completion", "bash"))
        line = f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kscope; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "--norc", "-c", line, "bash", "kscope", *words], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(done.stdout.split())

    def test_bash_offers_every_option_and_part_of_every_command(self):
        commands = list(all_commands())
        self.assertGreater(len(commands), 25)
        for words, names, parts in commands:
            self.assertEqual(self.completed(*words, "-"), names, words)
            self.assertEqual(self.completed(*words, ""), set(parts), words)

    def test_values_and_words_of_a_program_are_files(self):
        self.assertEqual(self.completed("report", "--output", ""), set())
        self.assertEqual(self.completed("record", "--", "-"), set())
        self.assertEqual(self.completed("bench", "o"), {"operators"})
        self.assertEqual(self.completed("report", "--json", "--ach"), {"--achieved"})
        self.assertNotIn("worker", self.completed("bench", ""))

    def test_zsh_and_fish_name_every_option(self):
        zsh, fish = self.good("completion", "zsh"), self.good("completion", "fish")
        for words, names, _ in all_commands():
            function = re.search(r"(?ms)^%s\(\) {(.*?)^}" % "_".join(("_kscope", *words)), zsh).group(1)
            lines = [line for line in fish.splitlines() if f"\"__kscope_at '{' '.join(words)}'\"" in line]
            for name in names:
                self.assertIn(f"){name}[", function)
                wanted = f" -l {name[2:]} " if name.startswith("--") else f" -s {name[1:]} "
                self.assertTrue(any(wanted in line for line in lines), (words, name))

    def test_shells_that_are_here_understand_them(self):
        for shell, option in (("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")):
            script = self.write("script", self.good("completion", shell))
            if shutil.which(shell):
                done = subprocess.run([shell, option, script], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)
        if shutil.which("fish"):
            line = f"source {script}; complete -C 'kscope bench operators --acc'"
            done = subprocess.run(["fish", "--no-config", "-c", line], capture_output=True, text=True, env={**os.environ, **self.environment})
            self.assertIn("--accuracy-checking", done.stdout)
            self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
