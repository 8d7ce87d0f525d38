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

    def cut_events(self, *members, window="trace"):
        path = self.folder / "in.json"
        path.write_text('{"traceEvents": [' + ",\n".join("{" + one + "}" for one in members) + "]}")
        out, code, said = self.cut(path, window)
        self.assertEqual(code, 0, said)
        return strict(out)["traceEvents"]

    def test_rows_are_those_of_the_import(self):
        """Both ends of a slice, whichever of the spellings of its row each of them has."""
        for begin, end in (
                ('"ph": "B", "pid": 1, "tid": 2', '"ph": "E", "pid": 1.0, "tid": 2'),
                ('"ph": "B", "tid": 2', '"ph": "E", "pid": 0, "tid": 2'),
                ('"ph": "b", "pid": 1, "id2": {"local":"0x1"}', '"ph": "e", "pid": 1, "id2": {"local": "0x1"}'),
                ('"ph": "b", "pid": 1, "id": 9, "id2": {"local": "1"}', '"ph": "e", "pid": 1, "id2": {"local": "1"}'),
                ('"ph": "b", "pid": 1, "cat": "c", "id": null', '"ph": "e", "pid": 1, "cat": "c"'),
                ('"ph": "b", "pid": 1, "cat": null, "id": 1', '"ph": "e", "pid": 1, "cat": "", "id": 1')):
            with self.subTest(begin=begin, end=end):
                kept = self.cut_events(begin + ', "ts": 1, "name": "w"',
                                       '"ph": "X", "pid": 5, "tid": 5, "ts": 50, "dur": 10, "name": "x"',
                                       end + ', "ts": 100', window="50..60")
                self.assertEqual([one["ts"] for one in kept], [1, 50, 100])

    def test_a_refused_end_ends_nothing(self):
        path = self.folder / "in.json"
        path.write_text("""{"traceEvents": [{"ph": "B", "pid": 1, "tid": 2, "ts": 1, "name": "w"},
            {"ph": "E", "pid": 1, "tid": 2, "ts": 2400000000000000}, {"ph": "E", "pid": 1, "tid": 2, "ts": 100}]}""")
        out, code, _ = self.cut(path)
        self.assertEqual(code, 0)
        self.assertEqual([one["ts"] for one in strict(out)["traceEvents"]], [1, 100])

    def test_arrows_of_launches_may_have_hexadecimal_ids(self):
        arrow = '"id": "0x10", "cat": "ac2g", "name": "ac2g", "pid": 1'
        kept = self.cut_events(
            '"ph": "X", "cat": "cuda_runtime", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 16}',
            '"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 7, "ts": 5, "dur": 2, "args": {"correlation": 16}',
            f'"ph": "s", {arrow}, "tid": 1, "ts": 1', f'"ph": "f", "bp": "e", {arrow}, "tid": 7, "ts": 5')
        self.assertEqual([one["ph"] for one in kept], ["X", "X", "s", "f"])

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
