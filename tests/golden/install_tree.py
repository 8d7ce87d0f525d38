#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What users get beside the programs: man pages, sources, desktop files, the wheel and its Python module.

usage: install_tree.py KSCOPE CMAKE SOURCE BUILD [unittest options]"""

import base64
import configparser
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zipfile

KSCOPE, CMAKE, SOURCE, BUILD = (pathlib.Path(sys.argv.pop(1)) for _ in range(4))
PACKAGING, SAMPLE = SOURCE / "packaging", SOURCE / "resources/sample.json.gz"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PACKAGING))
import kinetoscope  # noqa: E402


def kscope(*words):
    return subprocess.run([KSCOPE, *words], capture_output=True, text=True, check=True).stdout


class ManTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = pathlib.Path(cls.temporary.name)
        subprocess.run([sys.executable, PACKAGING / "man_pages.py", folder, KSCOPE], check=True)
        cls.pages = {path.name[:-len(".1.gz")]: path for path in (folder / "man1").iterdir()}

    def test_every_command_has_a_page_with_all_its_options(self):
        self.assertIn("kscope-bench-operators", self.pages)
        for name, path in self.pages.items():
            page = gzip.decompress(path.read_bytes()).decode().replace("\\-", "-")
            words = name.split("-")[1:]
            told = kscope(*words, "--help")
            terms = re.findall(r"(?m)^  (-\S+)", told)
            for term in terms:
                self.assertIn(f".TP\n\\fB{term}", page, name)
            self.assertTrue(terms)
            parts = re.search(r"(?ms)^Subcommands:\n(.*?)(\n\n|\Z)", told)
            for part in re.findall(r"(?m)^  ([a-z]+)", parts.group(1)) if parts else []:
                self.assertIn(f"{name}-{part}", self.pages)

    def test_man_has_nothing_to_complain_of(self):
        if not shutil.which("man"):
            self.skipTest("man is not here")
        for page in self.pages.values():
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", page], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)


class DesktopTest(unittest.TestCase):
    def test_types_of_files_are_the_same_everywhere(self):
        desktop = configparser.ConfigParser(interpolation=None)
        desktop.optionxform = str
        desktop.read(SOURCE / "resources/org.kinetoscope.Kinetoscope.desktop")
        opened = set(desktop["Desktop Entry"]["MimeType"].strip(";").split(";")) - {"application/json"}
        mime = xml.etree.ElementTree.parse(PACKAGING / "org.kinetoscope.Kinetoscope.mime.xml").getroot()
        self.assertEqual(opened, {one.get("type") for one in mime})
        about = xml.etree.ElementTree.parse(PACKAGING / "org.kinetoscope.Kinetoscope.metainfo.xml").getroot()
        self.assertEqual(opened, {one.text for one in about.iter("mediatype")})
        version = re.search(r"project\(kinetoscope VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual(about.find("releases/release").get("version"), version)

    def test_checkers_that_are_here_agree(self):
        for command in (["desktop-file-validate", SOURCE / "resources/org.kinetoscope.Kinetoscope.desktop"],
                        ["appstreamcli", "validate", "--no-net", PACKAGING / "org.kinetoscope.Kinetoscope.metainfo.xml"]):
            if shutil.which(command[0]):
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class ModuleTest(unittest.TestCase):
    def setUp(self):
        os.environ["KINETOSCOPE_KSCOPE"] = str(KSCOPE)

    def rows(self, table):
        return table if isinstance(table, list) else table.to_dict("records")

    def test_it_says_what_kscope_says(self):
        told = json.loads(kscope("report", "--json", SAMPLE))
        self.assertEqual(kinetoscope.report(SAMPLE), told)
        self.assertEqual([row["total_ns"] for row in self.rows(kinetoscope.kernels(SAMPLE))],
                         [row["total_ns"] for row in told["kernels"]])
        self.assertEqual([row["name"] for row in self.rows(kinetoscope.steps(SAMPLE))],
                         [row["name"] for row in told["steps"]])
        inside = kinetoscope.report(SAMPLE, window="step:1")
        self.assertEqual(inside["gpus"], json.loads(kscope("report", "--json", "--window", "step:1", SAMPLE))["gpus"])
        rows = self.rows(kinetoscope.query(SAMPLE, "SELECT count(*) AS n FROM gpu_ops"))
        self.assertEqual(rows, json.loads(kscope("query", "--json", SAMPLE, "SELECT count(*) AS n FROM gpu_ops")))
        self.assertGreater(rows[0]["n"], 0)
        self.assertEqual(kinetoscope.compare(SAMPLE, SAMPLE)["delta_ns"], 0)
        self.assertTrue(kinetoscope.findings(SAMPLE)["findings"])

    def test_what_kscope_refuses_is_an_error_with_its_words(self):
        for line, call in (("--no-such.json", lambda: kinetoscope.report("--no-such.json")),
                           ("syntax error", lambda: kinetoscope.query(SAMPLE, "SELEC"))):
            with self.assertRaises(kinetoscope.Error) as caught:
                call()
            self.assertIn(line, str(caught.exception))
        os.environ["KINETOSCOPE_KSCOPE"] = "/nowhere/kscope"
        with self.assertRaisesRegex(kinetoscope.Error, "does not start"):
            kinetoscope.report(SAMPLE)


class TreeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.root = pathlib.Path(cls.temporary.name)
        subprocess.run([CMAKE, "--install", BUILD, "--component", "kscope", "--prefix", cls.root / "tree"],
                       check=True, capture_output=True)

    def test_the_sources_of_kscope_torch_include_nothing_that_is_not_there(self):
        source = self.root / "tree/share/kinetoscope/source"
        files = [p for p in source.rglob("*") if p.suffix in (".h", ".cpp") and "third_party" not in p.parts]
        self.assertGreater(len(files), 50)
        for file in files:
            for name in re.findall(r'(?m)^\s*#\s*include "(.+)"', file.read_text()):
                self.assertTrue((source / name).is_file(), f"{file.relative_to(source)} includes {name}")
        for name in ("fmt/format.h", "nlohmann/json.hpp", "tl/expected.hpp"):
            self.assertTrue((source / "third_party/include" / name).is_file(), name)
        for name in re.findall(r"add_subdirectory\((.+)\)", re.search(
                r"(?s)if\(KINETOSCOPE_TORCH_ONLY\)(.*?)return", (source / "CMakeLists.txt").read_text()).group(1)):
            text = (source / name / "CMakeLists.txt").read_text()
            for listed in re.findall(r"(?m)^    (\S+\.cpp)\)?$", text):
                self.assertTrue((source / name / listed).is_file(), f"{name}/{listed}")

    def test_a_wheel_holds_what_runs(self):
        made = subprocess.run([sys.executable, PACKAGING / "make_wheel.py", self.root / "tree", "9.8.7", self.root / "out"],
                              check=True, capture_output=True, text=True).stdout.strip()
        self.assertRegex(made, r"/kinetoscope-9\.8\.7-py3-none-manylinux_2_\d+_x86_64\.whl\Z")
        with zipfile.ZipFile(made) as wheel:
            recorded = {}
            for line in wheel.read("kinetoscope-9.8.7.dist-info/RECORD").decode().splitlines():
                name, digest, _ = line.rsplit(",", 2)
                recorded[name] = digest
            self.assertEqual(sorted(recorded), sorted(wheel.namelist()))
            for name, digest in recorded.items():
                if digest:
                    told = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
                    self.assertEqual(digest, "sha256=" + told, name)
            data = "kinetoscope-9.8.7.data/"
            self.assertEqual(wheel.getinfo(data + "scripts/kscope").external_attr >> 16, 0o100755)
            wheel.extractall(self.root / "wheel")
        # As pip puts them.
        prefix = self.root / "prefix"
        shutil.move(self.root / "wheel" / data / "data", prefix)
        shutil.move(self.root / "wheel" / data / "scripts", prefix / "bin")
        (prefix / "bin/kscope").chmod(0o755)
        done = subprocess.run([prefix / "bin/kscope", "doctor", "--json"], capture_output=True, text=True, check=True)
        recorder = next(one for one in json.loads(done.stdout)["checks"] if one["name"] == "recorder")
        self.assertEqual(recorder["path"], str((prefix / "lib/kinetoscope/libkinetoscope-inject.so").resolve()))
        self.assertTrue((self.root / "wheel/kinetoscope/__init__.py").is_file())


if __name__ == "__main__":
    unittest.main()
