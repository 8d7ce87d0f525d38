// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/KeepResult.h"

#include "core/bench/results/ResultStore.h"

namespace kinetoscope::bench::workers {

void keepQuietly(results::ResultHeader& header, const std::string& text, BenchConsole& console) {
    const results::ResultStore store(results::ResultStore::defaultFolder());
    const auto id = header.id.empty()
                        ? store.keepText(header.created, text)
                        : store.replace(header.id, text).map([&] { return header.id; });
    if (id) {
        header.id = *id;
    } else {
        console.warn(id.error().message);
    }
}

void keepResult(results::ResultHeader& header, const std::string& text, BenchConsole& console) {
    keepQuietly(header, text, console);
    if (!header.id.empty()) {
        console.note("kept as result " + header.id);
    }
}

}  // namespace kinetoscope::bench::workers
