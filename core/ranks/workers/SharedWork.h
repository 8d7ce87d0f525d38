// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/ranks/Job.h"
#include "core/ranks/workers/Place.h"

namespace kinetoscope::ranks::workers {

/// One work of several processes that see one folder and nothing else of each other.
///
/// Each reads the files of its share and leaves a partial of each in the folder, unless there is
/// one of the same file, of the same size and time. A process holds a lock on a file of its own
/// while it reads; the system lets go of it however the process ends. All wait for each other; then
/// the first one puts all together and the others find that it is done. Where one was killed, its
/// files have no partials: they are named, and the same work again reads only them. A process that
/// starts when all others have ended puts everything together once more.
class SharedWork {
public:
    /// `output`: the common result of the processes; their folder is next to it.
    SharedWork(std::string output, std::vector<std::string> files, Place place);
    SharedWork(const SharedWork&) = delete;
    SharedWork& operator=(const SharedWork&) = delete;
    ~SharedWork();

    /// "OUTPUT.parts".
    [[nodiscard]] const std::string& folder() const { return m_folder; }

    /// Reads what is missing of this process's share.
    [[nodiscard]] Result<void> readShare(const LoadRankTrace& load, const JobOptions& options);

    /// Waits until the others have ended, and for those that have left to do and did not begin for
    /// that long; then until this one's turn has come. False when another process has put together
    /// what is there.
    [[nodiscard]] Result<bool> takeTurn(std::chrono::milliseconds beginsWithin,
                                        const std::stop_token& stop);

    /// All partials. Files without are lost, with the process that should have read them.
    [[nodiscard]] Result<Partial> gather(const JobOptions& options) const;

    /// The output exists: no other process has to make it. Ends the turn.
    void finishTurn();

private:
    [[nodiscard]] std::string workerFile(std::size_t number) const;
    [[nodiscard]] bool hasAll(std::size_t worker) const;
    [[nodiscard]] bool isThere(std::size_t file) const;
    void waitFor(std::size_t worker, std::chrono::milliseconds beginsWithin,
                 const std::stop_token& stop) const;
    [[nodiscard]] std::string state() const;
    [[nodiscard]] bool isDone() const;

    std::string m_output;
    std::string m_folder;
    std::vector<std::string> m_files;
    std::vector<std::string> m_parts;  ///< the partial of each file
    Place m_place;
    std::filesystem::file_time_type m_begin;  ///< by the clock of the folder
    std::string m_state;  ///< as its turn came, before anything was put together
    int m_own = -1;       ///< locked while it reads
    int m_turn = -1;      ///< locked while it puts together
};

}  // namespace kinetoscope::ranks::workers
