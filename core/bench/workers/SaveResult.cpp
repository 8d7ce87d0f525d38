// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/SaveResult.h"

#include "core/bench/results/ResultStore.h"

namespace kinetoscope::bench::workers {

void saveQuietly(results::ResultHeader& header, const std::string& text, BenchConsole& console) {
    const results::ResultStore store(results::ResultStore::defaultFolder());
    const auto id = header.id.empty()
                        ? store.saveText(header.created, text)
                        : store.replace(header.id, text).map([&] { return header.id; });
    if (id) {
        header.id = *id;
    } else {
        console.warn(id.error().message);
    }
}

void saveResult(results::ResultHeader& header, const std::string& text, BenchConsole& console) {
    saveQuietly(header, text, console);
    if (!header.id.empty()) {
        console.note("saved as result " + header.id);
    }
}

}  // namespace kinetoscope::bench::workers
