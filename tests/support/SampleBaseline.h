// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/baseline/Entry.h"

namespace kinetoscope::test {

/// A store with the baseline "kernels": an entry a day of one row, "softmax", that takes so many
/// microseconds; what was kept of each is `text`.
inline void writeBaseline(const std::string& store, const std::vector<double>& microseconds,
                          const std::string& text) {
    for (std::size_t i = 0; i < microseconds.size(); ++i) {
        const double ns = 1000.0 * microseconds[i];
        const std::string day = (i < 9 ? "0" : "") + std::to_string(i + 1);
        baseline::Entry entry;
        entry.kind = "kernels";
        entry.recorded = "2026-11-" + day + "T12:00:00Z";
        entry.facts = {{"gpu", "NVIDIA H200"}, {"commit", "c" + std::to_string(i)}};
        entry.files = {{"1-result.json", "result.json", text.size()}};
        entry.measures = {{"softmax", ns, 0.99 * ns, 1.01 * ns, 9, {ns}}};
        const std::filesystem::path folder = std::filesystem::path(store) / "kernels" /
                                             ("202611" + day + "-120000-0123456789abcdef");
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "entry.json") << baseline::entryJson(entry);
        std::ofstream(folder / "1-result.json") << text;
    }
}

}  // namespace kinetoscope::test
