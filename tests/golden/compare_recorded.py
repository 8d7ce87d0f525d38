#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same as compare_cli.py on whole recordings: compare_recorded.py KSCOPE FOLDER (exit 77: there is no folder)."""

import json
import pathlib
import sys
import unittest

import compare_checks

SKIPPED = 77
FOLDER = pathlib.Path()


def recorded(name):
    return FOLDER / f"{name}.json.gz"


class CompareRecorded(compare_checks.CompareCase):
    def test_recorded_against_itself(self):
        for name in ("bert_train_eager", "resnet50_train_fp16", "ddp_resnet50_rank0", "inductor_module0"):
            self.against_itself(recorded(name))

    def test_recorded_slower(self):
        bert = recorded("bert_train_eager")
        self.one_slower(bert, "nvjet_sm90_tst_96x128_64x6_2x1_v_bz_NNN")
        self.all_slower(bert, 0.95)
        self.all_slower(recorded("inductor_module0"), 0.95)
        self.all_slower(recorded("resnet50_train_fp16"), 0.91)
        self.all_slower(recorded("resnet18_infer_compiled"), 0.64)
        self.one_slower(recorded("resnet50_train_fp16"), "nvjet_sm90_hsh_64x64_64x13_2x1_v_bz_splitK_NTT")

    def test_recorded_halves(self):
        run = self.kscope("--self", "--json", recorded("resnet50_train_fp16"))
        check, = json.loads(run.stdout)["checks"]
        self.assertEqual((check["kind"], check["steps"], check["kernels"]), ("steps", [2, 2], 69))
        self.assertLess(check["false_alarm_percent"], 2)
        self.assertLess(check["unsure_time_percent"], 35)


if __name__ == "__main__":
    compare_checks.KSCOPE = sys.argv.pop(1)
    FOLDER = pathlib.Path(sys.argv.pop(1))
    if not FOLDER.is_dir():
        print(f"skipped: {FOLDER} is not there")
        sys.exit(SKIPPED)
    unittest.main()
