// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/baseline/Entry.h"
#include "core/baseline/LoadRuns.h"

namespace kinetoscope::baseline {

/// A folder with one folder for each baseline, NAME/ID/, which contains an entry's files and its
/// facts (entry.json). An entry appears under its name completely or not at all and never changes,
/// so that several machines may save at the same time without locks, and two stores are joined by
/// copying.
class BaselineStore {
public:
    explicit BaselineStore(std::string folder) : m_folder(std::move(folder)) {}

    /// $KINETOSCOPE_STORE, else kinetoscope/baselines in the user's data folder.
    [[nodiscard]] static std::string defaultFolder();
    [[nodiscard]] const std::string& folder() const { return m_folder; }

    /// Of all baselines, by name. A missing folder contains none.
    [[nodiscard]] Result<std::vector<std::string>> names() const;

    struct Entries {
        std::vector<Entry> entries;         ///< oldest first
        std::vector<std::string> problems;  ///< a line for each one that cannot be read
    };
    /// Fails if there is no such baseline, or none of its entries can be read.
    [[nodiscard]] Result<Entries> entries(const std::string& name) const;
    /// One of them, by its id or a unique prefix of it, or "last".
    [[nodiscard]] Result<Entry> entry(const std::string& name, const std::string& id) const;

    struct Saved {
        std::string id;
        bool isNew = true;  ///< false: the same contents were there already
    };
    /// Replaces an entry of the same contents that is damaged.
    [[nodiscard]] Result<Saved> save(const std::string& name, const LoadedRuns& runs) const;

    /// As entry() finds it, or by the name of its folder where it cannot be read.
    [[nodiscard]] Result<void> remove(const std::string& name, const std::string& id) const;
    /// With all of its entries.
    [[nodiscard]] Result<void> removeAll(const std::string& name) const;

    /// The folder of the entry's files.
    [[nodiscard]] std::vector<std::string> places(const Entry& entry) const;
    /// The same. Fails when one is not as it was saved.
    [[nodiscard]] Result<std::vector<std::string>> files(const Entry& entry) const;

private:
    std::string m_folder;
};

}  // namespace kinetoscope::baseline
