#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layer and source checks find a breach, and nothing where there is none."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
GOOD = {
    "core/base/Time.h": "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n#include <cstdint>\n"
                        "namespace kinetoscope {\n}\n",
    "core/trace/Trace.h": '// SPDX-License-Identifier: Apache-2.0\n#pragma once\n#include "core/base/Time.h"\n'
                          "namespace kinetoscope::trace {\n}\n",
    "widgets/panels/parts/Panel.h": "// SPDX-License-Identifier: GPL-3.0-or-later\n#pragma once\n#include <QWidget>\n"
                                    "namespace kinetoscope::panels {\n}\n",
    "widgets/panels/APanel.cpp": '// SPDX-License-Identifier: GPL-3.0-or-later\n#include "widgets/panels/parts/Panel.h"\n',
    "app/kscope/main.cpp": '// SPDX-License-Identifier: Apache-2.0\n#include "core/trace/Trace.h"\n',
}


def architecture() -> str:
    """A document with the table of today."""
    sys.path.insert(0, str(HERE))
    import check_layers
    return check_layers.BEGIN + check_layers.table() + check_layers.END


def run(check: str, changes: dict) -> tuple:
    with tempfile.TemporaryDirectory() as root:
        for name, text in {"ARCHITECTURE.md": architecture(), **GOOD, **changes}.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, HERE / f"check_{check}.py", root],
                              capture_output=True, text=True)
        return done.returncode, done.stdout


class Layers(unittest.TestCase):
    def breach(self, name, include):
        licence = "GPL-3.0-or-later" if name.startswith("widgets") else "Apache-2.0"
        code, out = run("layers", {name: f"// SPDX-License-Identifier: {licence}\n{include}\n"})
        self.assertEqual(code, 1, out)
        self.assertIn(f"{name}:2:", out)

    def test_a_clean_tree_passes(self):
        self.assertEqual(run("layers", {})[0], 0)

    def test_qt_in_core(self):
        self.breach("core/base/Bad.cpp", "#include <QString>")

    def test_upward_include(self):
        self.breach("core/base/Bad.cpp", '#include "core/trace/Trace.h"')

    def test_import_is_closed_to_panels(self):
        self.breach("widgets/panels/Bad.cpp", '#include "core/import/load/LoadTrace.h"')

    def test_panels_do_not_include_each_other(self):
        self.breach("widgets/panels/BPanel.cpp", '#include "widgets/panels/APanel.h"')

    def test_nobody_includes_app(self):
        self.breach("widgets/session/Bad.cpp", '#include "app/kscope/Command.h"')

    def test_relative_include(self):
        self.breach("core/trace/Bad.cpp", '#include "Trace.h"')

    def test_plotting_stays_in_plots(self):
        self.breach("widgets/timeline/Bad.cpp", "#include <qcustomplot.h>")

    def test_cycle_of_units(self):
        code, out = run("layers", {
            "core/trace/A.h": '// SPDX-License-Identifier: Apache-2.0\n#include "core/trace/B.h"\n',
            "core/trace/B.cpp": '// SPDX-License-Identifier: Apache-2.0\n#include "core/trace/A.h"\n'})
        self.assertEqual(code, 1, out)
        self.assertIn("cycle of includes: core/trace/A, core/trace/B", out)

    def test_cycle_of_folders(self):
        code, out = run("layers", {
            "core/bench/run/A.h": '// SPDX-License-Identifier: Apache-2.0\n#include "core/bench/results/B.h"\n',
            "core/bench/results/C.h": '// SPDX-License-Identifier: Apache-2.0\n#include "core/bench/run/D.h"\n'})
        self.assertEqual(code, 1, out)
        self.assertIn("cycle of includes: core/bench/results, core/bench/run", out)

    def test_crowded_folder(self):
        code, out = run("layers", {f"core/trace/File{i}.h": "// SPDX-License-Identifier: Apache-2.0\n"
                                   for i in range(41)})
        self.assertEqual(code, 1, out)
        self.assertIn("core/trace: 42 files", out)

    def test_wrong_namespace(self):
        code, out = run("layers", {"core/trace/A.h": "// SPDX-License-Identifier: Apache-2.0\n"
                                                     "namespace kinetoscope::query {\n}\n"})
        self.assertEqual(code, 1, out)
        self.assertIn("opens kinetoscope::query, not kinetoscope::trace", out)

    def test_header_without_a_namespace(self):
        code, out = run("layers", {"core/trace/A.h": "// SPDX-License-Identifier: Apache-2.0\nint a();\n"})
        self.assertEqual(code, 1, out)
        self.assertIn("core/trace/A.h: declares nothing in kinetoscope::trace", out)

    def test_a_folder_that_divides_has_the_namespace_of_its_room(self):
        for opened, expected in (("panels", 0), ("panels::memory", 1), ("memory", 1)):
            code, out = run("layers", {"widgets/panels/memory/A.h": "// SPDX-License-Identifier: GPL-3.0-or-later\n"
                                                                    f"namespace kinetoscope::{opened} {{\n}}\n"})
            self.assertEqual(code, expected, out)

    def test_older_table_in_the_architecture(self):
        code, out = run("layers", {"ARCHITECTURE.md": "<!-- layers -->\n<!-- /layers -->\n"})
        self.assertEqual(code, 1, out)
        self.assertIn("--write", out)

    def test_unknown_folder(self):
        code, out = run("layers", {"core/other/A.cpp": "// SPDX-License-Identifier: Apache-2.0\n"})
        self.assertEqual(code, 1, out)


class Sources(unittest.TestCase):
    def test_a_clean_tree_passes(self):
        self.assertEqual(run("sources", {})[0], 0)

    def test_missing_licence(self):
        self.assertEqual(run("sources", {"core/base/A.cpp": "int a;\n"})[0], 1)

    def test_wrong_licence(self):
        text = "// SPDX-License-Identifier: Apache-2.0\n"
        self.assertEqual(run("sources", {"widgets/style/A.cpp": text})[0], 1)

    def test_json_without_limits(self):
        for call in ("nlohmann::json::parse(text)", "Json::accept(text)", "json.dump()"):
            text = f"// SPDX-License-Identifier: Apache-2.0\nauto a = {call};\n"
            self.assertEqual(run("sources", {"core/base/A.cpp": text})[0], 1)
            self.assertEqual(run("sources", {"core/json/A.cpp": text})[0], 0)

    def test_what_depends_on_the_locale(self):
        for call, expected in (("std::strtod(text, &end)", 1), ("::tolower(c)", 1), ("isalnum(c)", 1), ("std::stod(text)", 1),
                               ("name.isdigit()", 0), ("std::strtoll(text, &end, 10)", 0), ("isRight(c)", 0)):
            text = f"// SPDX-License-Identifier: Apache-2.0\nauto a = {call};\n"
            self.assertEqual(run("sources", {"core/base/A.cpp": text})[0], expected, call)
            self.assertEqual(run("sources", {"tests/core/A.cpp": text})[0], 0, call)

    def test_long_file(self):
        text = "// SPDX-License-Identifier: Apache-2.0\n" + "int a;\n" * 600
        self.assertEqual(run("sources", {"core/base/A.cpp": text})[0], 1)


if __name__ == "__main__":
    unittest.main()
