#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages and completions made from what programs say of their options: man_pages.py OUT PROGRAM…

OUT/man1 gets a compressed page for each program and each of its commands, OUT/completion the scripts of kscope."""

import gzip
import os
import pathlib
import re
import subprocess
import sys

# A section of options or commands: its title, then lines that begin with two blanks.
SECTION = re.compile(r"^([A-Z][^\n]*):$")
ENTRY = re.compile(r"^  (\S.*?)(?:   *(\S.*))?$")
SUMMARIES = {"kscope": "figures of GPU traces in a shell", "kinetoscope": "viewer for GPU traces"}


def said(*words):
    environment = {**os.environ, "COLUMNS": "100", "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    return subprocess.run([*map(str, words)], capture_output=True, check=True, env=environment).stdout.decode()


def roff(text):
    """Text as it is: nothing in it is an instruction of roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


class Help:
    """The parts of one --help."""

    def __init__(self, text):
        lines = text.split("\n")
        at = next(i for i, line in enumerate(lines) if line.lower().startswith("usage:"))
        self.summary = " ".join(lines[:at]).strip()
        self.usage = lines[at].split(":", 1)[1].strip()
        self.sections = []  # title, entries of (term, explanation)
        notes, inside = [], False
        for line in lines[at + 1:]:
            title, entry = SECTION.match(line), ENTRY.match(line)
            if title and not notes:
                self.sections.append((title.group(1), []))
                inside = True
            elif inside and line.startswith("      "):
                term, told = self.sections[-1][1][-1]
                self.sections[-1][1][-1] = (term, f"{told} {line.strip()}".strip())
            elif inside and entry:
                self.sections[-1][1].append((entry.group(1), entry.group(2) or ""))
            elif line.strip() or notes:
                notes.append(line)
                inside = False
        self.notes = "\n".join(notes).rstrip()

    def commands(self):
        return [term for title, entries in self.sections for term, _ in entries if title in ("Subcommands", "Commands")]


def page(words, text, version):
    name, told = "-".join(words), Help(text)
    summary = SUMMARIES.get(name, told.summary)
    lines = ["'\\\" -*- coding: utf-8 -*-", f'.TH {roff(name).upper()} 1 "" "{version}" "Kinetoscope"', ".SH NAME",
             f"{roff(name)} \\- {roff(summary)}", ".SH SYNOPSIS", roff(told.usage)]
    for title, entries in told.sections:
        lines.append(f".SH {roff(title).upper()}")
        for term, explanation in entries:
            lines += [".TP", f"\\fB{roff(term)}\\fR", roff(explanation) or "\\&"]
    if told.notes:
        lines += [".SH NOTES", ".nf", roff(told.notes), ".fi"]
    pages = ["kscope"] if len(words) > 1 else [f"{name}-{part}" for part in told.commands()] or ["kscope"]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{roff(one)}\\fR(1)" for one in pages)]
    return "\n".join(lines) + "\n"


def write_pages(folder, program, words, version):
    text = said(program, *words[1:], "--help")
    with open(folder / f"{'-'.join(words)}.1.gz", "wb") as file:
        file.write(gzip.compress(page(words, text, version).encode(), 9, mtime=0))
    for part in Help(text).commands():
        write_pages(folder, program, [*words, part], version)


def main():
    out = pathlib.Path(sys.argv[1])
    for folder in (out / "man1", out / "completion"):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
    for program in map(pathlib.Path, sys.argv[2:]):
        write_pages(out / "man1", program, [program.name], said(program, "--version").split("\n")[0])
        if program.name == "kscope":
            for shell in ("bash", "zsh", "fish"):
                (out / "completion" / shell).write_text(said(program, "completion", shell))


if __name__ == "__main__":
    main()
