# SPDX-License-Identifier: Apache-2.0
"""What kscope cut writes of damaged traces, read by Python's parser of JSON at its strictest.

usage: cut_test.py KSCOPE [unittest options]; KINETOSCOPE_MUTATIONS says how many traces are damaged
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

KSCOPE = ""
TRACES = pathlib.Path(__file__).resolve().parent / "traces"
MUTATIONS = int(os.environ.get("KINETOSCOPE_MUTATIONS", "80"))
DAMAGED = """{"traceEvents": [
{"ph": "X", "name": "a", "cat": "kernel", "pid": 0, "tid": 1, "ts": 1, "dur": 2, "args": {"x": 1, "a": 37< "b": 2}},
{"ph": "X", "name": "b", "cat": "kernel", "pid": 0, "tid": 1, "ts": 5, "dur": 2, "args": {"x": }},
{"ph": "X", "name": "b", "cat": "kernel", "pid": 0, "tid": 1, "ts": 5, "dur": 2, "args": {"x" 1 2 3}},
{"ph": "X", "name": "b", "cat": "kernel", "pid": 0, "tid": 1, "ts": 5, "dur": 2, "args": {"x": [1 2 ;; 3]}},
{"ph": "X", "name": "b", "cat": "kernel", "pid": 0, "tid": 1, "ts": 5., "dur": 0002, "args": {"x": 01}}]}
"""
BYTES = b"{}[]:,\"\\0123456789.-+eEnutrfx/ \n\t\0\x01\x7f\x80\xc3\xff"


def refuse(word):
    raise ValueError(f"{word} is not JSON")



def strict(path):
    """The document, of bytes that are UTF-8 and JSON to the letter."""
    return json.loads(path.read_bytes().decode("utf-8", "strict"), parse_constant=refuse)


def damaged(text, chance):
    text = bytearray(text)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text))
        kind = chance.randrange(4)
        if kind == 0:
            text[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            text[at] = chance.choice(BYTES)
        elif kind == 2:
            text[at:at] = bytes([chance.choice(BYTES)]) * chance.randint(1, 3)
        else:
            del text[at:at + chance.randint(1, 12)]
    return bytes(text)


class StrictCutTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def cut(self, path, window="trace"):
        out = self.folder / "out.json"
        done = subprocess.run([KSCOPE, "cut", "--window", window, path, "-o", out],
                              capture_output=True, timeout=60)
        return out, done.returncode, done.stderr.decode()

    def test_what_was_mended_is_said(self):
        path = self.folder / "in.json"
        path.write_text(DAMAGED)
        out, code, said = self.cut(path)
        self.assertEqual(code, 0)
        arguments = [event["args"] for event in strict(out)["traceEvents"]]
        self.assertEqual(arguments, [{"x": 1, "a": 37, "b": 2}, {"x": None}, {"x": 1},
                                     {"x": [1, 2, 3]}, {"x": 1}])
        self.assertIn("warning: 5 of the kept events were not strict JSON and were repaired, "
                      "the first at byte 18\n", said)

    def test_a_good_trace_is_copied_without_a_word(self):
        out, code, said = self.cut(TRACES / "graphs_and_links.json")
        self.assertEqual(code, 0)
        strict(out)
        self.assertNotIn("warning", said)

    def test_launches_by_external_id_are_kept_with_their_work(self):
        out, code, error = self.cut(TRACES / "rocm_external_ids.json", "10us..12us")
        self.assertEqual(code, 0, error)
        kept = [event for event in strict(out)["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([(event["cat"], event["args"]["External id"]) for event in kept],
                         [("cpu_op", 61), ("cuda_runtime", 60), ("kernel", 60)])

    def test_nests_are_no_deeper_than_python_reads(self):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            nest = opening * 50_000 + "1" + closing * 50_000
            path = self.folder / "deep.json"
            path.write_text('{"note": %s, "traceEvents": [{"ph": "X", "ts": 1, "dur": 1, "pid": 1, '
                            '"tid": 1, "name": "x", "args": {"x": %s}}]}' % (nest, nest))
            out, code, said = self.cut(path)
            self.assertEqual(code, 0, said)
            (event,) = strict(out)["traceEvents"]
            self.assertEqual(event["name"], "x")
            self.assertIn("1 of the kept events were not strict JSON", said)
            self.assertIn("1 values outside the events were not strict JSON", said)

    def test_every_cut_of_a_damaged_trace_is_strict(self):
        chance = random.Random(20261122)
        texts = [DAMAGED.encode()] + [(TRACES / name).read_bytes() for name in (
            "graphs_and_links.json", "odd_events.json", "before_2022.json")]
        cuts = 0
        for _ in range(MUTATIONS):
            path = self.folder / "in.json"
            path.write_bytes(damaged(chance.choice(texts), chance))
            out, code, said = self.cut(path)
            if code == 0:
                cuts += 1
                try:
                    strict(out)
                except ValueError as error:
                    self.fail(f"{error}\nof {path.read_bytes()!r}")
                out.unlink()
            else:
                self.assertEqual(code, 2, said)
                self.assertFalse(out.exists())
        self.assertGreater(cuts, MUTATIONS // 2)


if __name__ == "__main__":
    KSCOPE = sys.argv.pop(1)
    unittest.main()
