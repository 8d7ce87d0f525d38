// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/import/event/JsonCursor.h"

/// What rocprofv3 and other tools of rocprofiler-sdk write as JSON: processes with names, agents,
/// kernels and lists of records.
namespace kinetoscope::import::rocprof {

/// One process's document beside its records.
struct Session {
    struct Agent {
        bool isGpu = false;
        std::int64_t gpu = 0;  ///< counted among the GPUs
        std::string name;
        std::int64_t computeUnits = 0;
        std::int64_t waveSize = 0;
    };
    struct Kernel {
        std::string name;
        std::int64_t registers = 0;
    };
    struct Kind {
        std::string name;  ///< "HIP_RUNTIME_API"
        std::vector<std::string> operations;
    };

    std::int64_t pid = 0;
    std::string command;
    std::map<std::uint64_t, Agent> agents;  ///< by handle
    std::unordered_map<std::int64_t, Kernel> kernels;
    std::vector<Kind> kinds;
    std::unordered_map<std::int64_t, std::string> markers;  ///< by correlation
    const char* records = nullptr;                          ///< where "buffer_records" begins

    [[nodiscard]] const Agent* agent(std::int64_t handle) const;
    /// Empty if unknown.
    [[nodiscard]] std::string_view operation(std::int64_t kind, std::int64_t operation) const;
    [[nodiscard]] std::string_view kind(std::int64_t kind) const;
};

/// Whether a file with this start is such a document.
[[nodiscard]] bool isDocument(std::string_view head);

/// Reads the object of one process, in front of which the cursor stands. Its records are passed
/// over.
[[nodiscard]] Session readSession(event::JsonCursor& cursor);

}  // namespace kinetoscope::import::rocprof
