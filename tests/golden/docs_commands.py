#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what the documents say one should run: docs_commands.py KSCOPE ROOT.

Blocks "console" run from the repository's root, and what stands below a command comes out of it, line by line and in order. Other
commands run on files of the names that they use; what needs a GPU, a PyTorch or a compiler is held against the options that
there are. The workflows of docs/ci.md run with stand-ins for what is GitHub's."""

import gzip
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from scale_trace import scale

KSCOPE, ROOT = "", pathlib.Path()
COMMAND = re.compile(r"^(?:\$ )?((?:[A-Z_]+=\S+ )*kscope\b.*)$")
# Times are measured on a GPU, programs are started, or something is compiled.
MEASURES = re.compile(r"kscope (?:bench(?!.*--plan)|record|metrics (?:record|kernels)|torch build)|kscope ranks --partial /shared")
PLACEHOLDER = re.compile(r"[…\[\]|]|\b(?:FILE|TRACE|DIR|NAME|WINDOW|COMMAND|FOLDER|OUT|BASE|CAND|SPEC)\b")


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text):
    """The language and lines of each block, fenced or indented."""
    fence = None
    for line in text.splitlines():
        if line.startswith("```"):
            if fence is None:
                fence = (line[3:].strip(), [])
            else:
                yield fence
                fence = None
        elif fence is not None:
            fence[1].append(line)
        elif line.startswith("    ") and COMMAND.match(line.strip()):
            yield "", [line.strip()]


def without_remark(command):
    """Without what explains it at the end of the line: a comment, or words behind several blanks."""
    return re.split(r"\s+# |\s{2,}(?=\S)", command.rstrip("\\ "))[0].strip()


class DocsCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bin = self.folder / ".bin"
        self.bin.mkdir()
        (self.bin / "kscope").symlink_to(KSCOPE)

    def stand_in(self, name, script):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text("#!/bin/bash\n" + script)
        path.chmod(0o755)

    def bash(self, script, cwd=None, **environment):
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=cwd or self.folder, capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1",
                                   "HOME": str(self.folder), "KINETOSCOPE_STORE": str(self.folder / ".store"),
                                   "KINETOSCOPE_RESULTS": str(self.folder / ".results"), **environment})


class ConsoleTest(DocsCase):
    """Blocks whose output is quoted."""

    def test_pages_say_what_comes_out(self):
        for page in pages():
            commands = self.commands_of(page)
            if commands:
                with self.subTest(page.name):
                    self.run_page(commands)

    @staticmethod
    def commands_of(page):
        commands = []
        for language, lines in blocks(page.read_text()):
            for line in lines if language == "console" else []:
                if line.startswith("$ "):
                    commands.append((line[2:], []))
                elif line.strip():
                    commands[-1][1].append(line)
        return commands

    def run_page(self, commands):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for part in ("resources", "tests"):
                (root / part).symlink_to(ROOT / part)
            for command, quoted in commands:
                code = 0
                if quoted and quoted[-1].startswith("exit code "):
                    code = int(quoted.pop().split()[-1])
                done = self.bash(command, cwd=root, KINETOSCOPE_STORE=str(root / "store"))
                self.assertEqual(done.returncode, code, f"{command}\n{done.stdout}{done.stderr}")
                rest = done.stdout
                for line in quoted:
                    self.assertIn(line, rest, f"not in what {command} prints, or not in this order")
                    rest = rest[rest.index(line) + len(line):]


class OptionsTest(DocsCase):
    """Every command anywhere: its name and its options exist."""

    def setUp(self):
        super().setUp()
        self.helps = {}

    def help_of(self, *words):
        if words not in self.helps:
            done = subprocess.run([KSCOPE, *words, "--help"], capture_output=True, text=True)
            self.helps[words] = done.stdout if done.returncode == 0 else ""
        return self.helps[words]

    def check(self, command, where):
        words = [w for w in re.split(r"[\s=`|/,]+", command.split(" -- ")[0]) if w]
        words = words[words.index("kscope") + 1:]
        if not words or not re.fullmatch(r"[a-z]+", words[0]):
            return
        self.assertIn(f"\n  {words[0]} ", self.help_of(), f"{where}: no command {words[0]}")
        text = self.help_of(words[0])
        if len(words) > 1 and re.fullmatch(r"[a-z]+", words[1]) and f"\n  {words[1]} " in text:
            text += self.help_of(words[0], words[1])
        elif words[0] == "metrics":
            text += self.help_of("metrics", "record") + self.help_of("metrics", "kernels")
        for option in re.findall(r"(?<=[\s`(\[])--?[a-z][a-z-]*", " " + command.split(" -- ")[0].split(" | ")[0]):
            self.assertRegex(text, re.escape(option) + r"(?![a-z-])", f"{where}: {command}: no option {option}")

    def test_in_blocks_and_in_prose(self):
        for page in pages():
            text = page.read_text()
            inline = re.findall(r"(?<!`)`(kscope [^`]+)`(?!`)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
            in_blocks = [without_remark(m[1]) for _, lines in blocks(text) for m in map(COMMAND.match, lines) if m]
            for command in inline + in_blocks:
                self.check(" ".join(command.split()), page.name)


class PagesTest(DocsCase):
    """Every panel and every command has its page."""

    def test_panels(self):
        source = (ROOT / "app/kinetoscope/PanelRegistry.cpp").read_text()
        panels = re.findall(r'PanelEntry\{"([\w-]+)", "([^"]+)", "([^"]+)"', source)
        self.assertGreater(len(panels), 20)
        menu, window = (ROOT / "mkdocs.yml").read_text(), (ROOT / "docs/window.md").read_text()
        for name, title, key in panels:
            with self.subTest(name):
                page = (ROOT / f"docs/panels/{name}.md").read_text()
                self.assertTrue(page.startswith(f"# {title}\n"))
                self.assertIn(f"Open it with `{key}` or *View → {title}*.", page)
                self.assertIn(f": panels/{name}.md\n", menu)
                self.assertIn(f"| [{title}](panels/{name}.md) | `{key}` |", window)
                # A program that runs is what only this one could show.
                if name != "output":
                    self.assertRegex(page, r"!\[[^\]]+\]\(\.\./[\w/-]+\.png")
        self.assertEqual(len(list((ROOT / "docs/panels").iterdir())), len(panels))

    def test_commands(self):
        done = subprocess.run([KSCOPE, "--help"], capture_output=True, text=True, check=True)
        commands = re.findall(r"^  ([a-z]+) ", done.stdout.split("Subcommands:")[1], re.MULTILINE)
        self.assertGreater(len(commands), 20)
        page = (ROOT / "docs/commands.md").read_text()
        for command in commands:
            self.assertRegex(page, rf"\n\| `kscope {command}` \|.*\]\([a-z]+\.md")


class FilesTest(DocsCase):
    """Commands without quoted output, on files of the names that they use."""

    def setUp(self):
        super().setUp()
        data = ROOT / "tests/data"
        sample = ROOT / "resources/sample.json.gz"
        ranks = [data / f"traces/ddp_gpt_rank{rank}.json.gz" for rank in (0, 1)]
        plain = gzip.decompress(sample.read_bytes())
        for name in ("trace", "train", "before", "after", "new_trace", "rank0"):
            shutil.copy(sample, self.folder / f"{name}.json.gz")
            (self.folder / f"{name}.json").write_bytes(plain)
        scale(sample, self.folder / "after.json.gz", 1.1)
        for folder in ("traces", "ranks", "before", "after"):
            (self.folder / folder).mkdir()
            for rank, path in enumerate(ranks):
                shutil.copy(path, self.folder / folder / f"rank{rank}.json.gz")
        for rank, path in enumerate(ranks):
            shutil.copy(path, self.folder / f"rank{rank}.json.gz")
        for name in ("snapshot", "step100", "step200"):
            shutil.copy(data / "memory/memory_snapshot.pickle", self.folder / f"{name}.pickle")
        partial = subprocess.run([KSCOPE, "ranks", "--partial", "node7.ranks", *ranks], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(partial.returncode, 0, partial.stderr)
        (self.folder / "questions.sql").write_text("SELECT count(*) FROM slices")
        (self.folder / "mine.txt").write_text('Operator: aten.mm.default\ncnt: 1, ((T([2, 3], f32), T([3, 2], f32)), {})\n')
        shutil.copytree(ROOT / "tests/golden/plans/cache", self.folder / "cache")
        shutil.copytree(ROOT / "tests/golden/metric_tables", self.folder / "tables")
        for name in ("jq", "flamegraph.pl"):
            self.stand_in(name, "cat\n")

    # What the repository holds no file for.
    WITHOUT_FILE = re.compile(r"et\.json|step\.csv|/local/|report run\b|\brun\b|tables/metric_table_counters|parts\b|graph_stats")

    def test_they_run(self):
        ran = 0
        for page in pages():
            for language, lines in blocks(page.read_text()):
                for match in map(COMMAND.match, lines):
                    if not match or language in ("console", "yaml"):
                        continue
                    command = without_remark(match[1])
                    if MEASURES.search(command) or PLACEHOLDER.search(re.sub(r"\s\|\s.*|'[^']*'", "", command)) or \
                            self.WITHOUT_FILE.search(command) or command.endswith(","):
                        continue
                    with self.subTest(f"{page.name}: {command}"):
                        done = self.bash(command)
                        fails = (1,) if "--fail-on" in command else ()
                        self.assertIn(done.returncode, (0, *fails), done.stderr)
                    ran += 1
        self.assertGreater(ran, 40)


class WorkflowTest(DocsCase):
    """What the workflows of docs/ci.md run, with stand-ins for pip, gh, a GPU and a training."""

    def setUp(self):
        super().setUp()
        self.workflows = {re.search(r"^name: (\w+)", "\n".join(lines))[1]: self.steps_of(lines)
                          for language, lines in blocks((ROOT / "docs/ci.md").read_text()) if language == "yaml"}
        self.summary = self.folder / "summary.md"
        self.output = self.folder / "output"
        self.output.touch()
        for name in ("pip", "gh", "python"):
            self.stand_in(name, f'echo "{name} $*" >> "$HOME/calls"\n')

    @staticmethod
    def steps_of(lines):
        """Name to script, of the steps with "run:"."""
        steps, name, script, depth = {}, None, None, 0
        for line in lines:
            indent = len(line) - len(line.lstrip())
            if script is not None and (indent > depth or not line.strip()):
                script.append(line.strip())
                continue
            script = None
            if found := re.match(r"\s+- name: (.*)", line):
                name = found[1]
            elif found := re.match(r"(\s+)run: (.*)", line):
                depth = len(found[1])
                script = steps.setdefault(name, [])
                if found[2] != "|":
                    script.append(found[2])
        return {name: "\n".join(script) for name, script in steps.items()}

    def run_step(self, workflow, step, code=0, **environment):
        done = self.bash(self.workflows[workflow][step], GITHUB_STEP_SUMMARY=str(self.summary), GITHUB_OUTPUT=str(self.output),
                         KSCOPE_WHEEL="kscope.whl", COMMIT="1a2b3c", PULL="7", GITHUB_SHA="1a2b3c", **environment)
        self.assertEqual(done.returncode, code, f"{step}: {done.stdout}{done.stderr}")
        return done

    def calls(self):
        return (self.folder / "calls").read_text()

    def test_all_steps_are_there(self):
        self.assertEqual(set(self.workflows), {"speed", "profile"})
        self.assertEqual(list(self.workflows["speed"]), ["Install kscope", "Check", "Comment", "Keep what was merged", "Verdict"])
        self.assertEqual(list(self.workflows["profile"]), ["What is there", "Record a trace", "Bench the kernels",
                                                           "Check the kernels", "Keep what was merged"])

    def test_a_pull_request_that_is_slower_fails_with_a_comment(self):
        sample = ROOT / "resources/sample.json.gz"
        trace = self.folder / "trace.json.gz"
        shutil.copy(sample, trace)
        self.run_step("speed", "Install kscope")
        self.assertIn("pip install kscope.whl", self.calls())
        # Before there is a baseline the comment says that there is none.
        self.run_step("speed", "Check")
        self.assertIn("ended with 2", (self.folder / "comment.md").read_text())
        (self.folder / "comment.md").unlink()
        self.run_step("speed", "Keep what was merged")
        self.assertIn("kernel time of a step", self.summary.read_text())
        for factor, code in ((1.0, 0), (1.2, 1)):
            scale(sample, trace, factor)
            self.output.write_text("")
            self.run_step("speed", "Check")
            self.assertEqual(self.output.read_text(), f"code={code}\n")
            comment = (self.folder / "comment.md").read_text()
            self.assertTrue(comment.startswith("against train-step of "), comment[:200])
            self.assertEqual("**SLOWER**" in comment, code == 1)
            self.run_step("speed", "Comment")
            self.run_step("speed", "Verdict", code, CODE=str(code))
        self.assertIn("gh pr comment 7 --body-file comment.md", self.calls())

    def test_a_machine_with_a_gpu(self):
        # Measures nothing: checks the options of the real one, and writes what was asked for.
        self.stand_in("kscope", f"""
case "$1 $2" in
"bench kernels")
    {KSCOPE} "$@" --plan >/dev/null
    while [ "$1" != -o ]; do shift; done
    python3 - "$2" "$FACTOR" <<'TXT'
import json, sys
samples = [1000 * float(sys.argv[2]) * (1 + i / 1000) for i in range(9)]
json.dump({{"schema": "kinetoscope.result/1", "kind": "kernels", "created": "2026-01-01T00:00:0" + sys.argv[1][7] + "Z", "method": "event-cold",
           "gpu": {{"name": "NVIDIA H200"}}, "kernels": [{{"name": "softmax", "key": "", "configs": [{{"config": "", "samples_ns": samples,
           "samples_clock_mhz": [0] * 9, "samples_throttled": [False] * 9}}]}}]}}, open(sys.argv[1], "w"), indent=1)
TXT
    ;;
"record -o")
    while [ "$1" != -- ]; do shift; done
    shift; "$@" ;;
*) exec {KSCOPE} "$@" ;;
esac
""")
        shutil.copytree(ROOT / "tests/golden/plans/cache", self.folder / "cache")
        cache = {"TORCHINDUCTOR_CACHE_DIR": str(self.folder / "cache")}
        self.run_step("profile", "What is there")
        self.run_step("profile", "Record a trace")
        self.assertIn("python train.py --steps 20", self.calls())
        self.run_step("profile", "Bench the kernels", FACTOR="1", GITHUB_EVENT_NAME="push", **cache)
        self.assertEqual(len(list(self.folder.glob("kernels*.json"))), 10)
        self.assertIn("kernels 2026", self.run_step("profile", "Keep what was merged").stdout)
        for path in self.folder.glob("kernels*.json"):
            path.unlink()
        self.run_step("profile", "Bench the kernels", FACTOR="1", GITHUB_EVENT_NAME="pull_request", **cache)
        self.assertEqual(len(list(self.folder.glob("kernels*.json"))), 5)
        self.run_step("profile", "Check the kernels")
        self.run_step("profile", "Bench the kernels", FACTOR="1.2", GITHUB_EVENT_NAME="pull_request", **cache)
        self.run_step("profile", "Check the kernels", 1)
        self.assertIn("**SLOWER**", self.summary.read_text())


if __name__ == "__main__":
    KSCOPE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
