// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::bench::results {

/// One line of the list of saved results.
struct StoredResult {
    std::string id;
    std::string created;
    std::string gpu;
    std::string kind;  ///< "kernels", "operators" or "modules"
    std::string method;
    std::size_t kernels = 0;  ///< or operators, or modules
    std::string problem;      ///< why it cannot be read; else empty
};

/// The text of a result document anywhere. Fails in one line that names the path.
[[nodiscard]] Result<std::string> readResultFile(const std::string& path);

/// The folder of result documents.
class ResultStore {
public:
    explicit ResultStore(std::string folder) : m_folder(std::move(folder)) {}

    /// $KINETOSCOPE_RESULTS, else kinetoscope/results in the user's data folder.
    [[nodiscard]] static std::string defaultFolder();

    /// Writes the text of a document under a new id made from its time `created`, and returns the
    /// id. Several processes may do so at the same time: each gets an id of its own.
    [[nodiscard]] Result<std::string> saveText(const std::string& created,
                                               const std::string& text) const;
    /// Overwrites a saved document.
    [[nodiscard]] Result<void> replace(const std::string& id, const std::string& text) const;
    /// By time, oldest first, those of one time as they were saved. An absent folder is an empty
    /// list.
    [[nodiscard]] std::vector<StoredResult> list() const;
    /// Why the folder's results are not all known; empty when they are, or when it is not there.
    [[nodiscard]] std::string problem() const;
    /// The text of a document of any kind, and its whole id.
    struct Text {
        std::string id;
        std::string kind;
        std::string text;
    };
    /// By id, by a unique prefix of one, or "last". Fails in one line.
    [[nodiscard]] Result<Text> loadText(const std::string& id) const;
    [[nodiscard]] Result<void> remove(const std::string& id) const;

private:
    [[nodiscard]] std::vector<std::string> ids() const;
    [[nodiscard]] Result<std::string> resolve(const std::string& id) const;
    [[nodiscard]] Result<Text> readText(const std::string& id) const;
    [[nodiscard]] std::string path(const std::string& id) const;

    std::string m_folder;
};

}  // namespace kinetoscope::bench::results
