// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/capture/CuptiAbi.h"

namespace kinetoscope::capture {

/// CUPTI's functions, looked up in the library that belongs to the running program.
struct CuptiApi {
    // Every CUPTI of CUDA 12 and 13 has these.
    cupti::Result (*getVersion)(std::uint32_t*) = nullptr;
    cupti::Result (*subscribe)(cupti::Subscriber*, cupti::Callback, void*) = nullptr;
    cupti::Result (*unsubscribe)(cupti::Subscriber) = nullptr;
    cupti::Result (*enable)(cupti::Kind) = nullptr;
    cupti::Result (*disable)(cupti::Kind) = nullptr;
    cupti::Result (*registerCallbacks)(cupti::RequestBuffer, cupti::CompleteBuffer) = nullptr;
    cupti::Result (*registerTimestamp)(cupti::Timestamp) = nullptr;
    cupti::Result (*flushAll)(std::uint32_t) = nullptr;
    cupti::Result (*nextRecord)(std::uint8_t*, std::size_t, cupti::Activity**) = nullptr;
    cupti::Result (*droppedRecords)(void*, std::uint32_t, std::size_t*) = nullptr;
    cupti::Result (*setAttribute)(cupti::Attribute, std::size_t*, void*) = nullptr;
    cupti::Result (*setThreadIdType)(std::uint32_t) = nullptr;
    cupti::Result (*callbackName)(std::uint32_t, std::uint32_t, const char**) = nullptr;
    cupti::Result (*resultString)(cupti::Result, const char**) = nullptr;
    cupti::Result (*pushExternalId)(std::uint32_t, std::uint64_t) = nullptr;
    cupti::Result (*popExternalId)(std::uint32_t, std::uint64_t*) = nullptr;
    // Later ones; null where the library has none.
    cupti::Result (*subscribeNamed)(cupti::Subscriber*, cupti::Callback, void*,
                                    cupti::SubscriberParameters*) = nullptr;
    cupti::Result (*enableRuntimeCall)(std::uint32_t, std::uint8_t) = nullptr;
    cupti::Result (*enableDriverCall)(std::uint32_t, std::uint8_t) = nullptr;
    cupti::Result (*enableEventTimes)(std::uint8_t) = nullptr;

    std::string path;
    std::uint32_t version = 0;

    /// "CUPTI_ERROR_…", or the number.
    [[nodiscard]] std::string errorText(cupti::Result result) const;
};

/// Opens, in this order: $KINETOSCOPE_CUPTI, the copy that the program has already loaded, the one
/// of its CUDA's major version. False with one line in `problem` if none is usable.
[[nodiscard]] bool openCupti(CuptiApi& api, std::string& problem);

/// The libraries of the running process, by their path.
[[nodiscard]] std::vector<std::string> loadedLibraries();

/// cuDriverGetVersion, e.g. 13000; 0 where no driver is loaded.
[[nodiscard]] int cudaDriverVersion();

}  // namespace kinetoscope::capture
