// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/trace/Category.h"

namespace kinetoscope::import::event {

/// The category a text stands for, in any case and in every spelling that profilers have written.
/// `name` is the event's, which one old category needs. nullopt: not one of ours.
[[nodiscard]] std::optional<trace::Category> categoryOfSpelling(std::string_view text,
                                                                std::string_view name);

/// True when the category's meaning depends on the event's name too.
[[nodiscard]] bool spellingNeedsName(std::string_view text);

/// The arguments that become columns.
enum class Argument : std::uint8_t {
    None,
    Correlation,
    ExternalId,
    Device,
    Stream,
    Grid,
    Block,
    Registers,
    SharedMemory,
    Occupancy,
    Bytes,
    GraphId,
    CollectiveName,
    KernelName,  ///< ROCm's name of a kernel event that is only called "kernel"
};

/// The argument a key stands for, in every spelling that profilers have written.
[[nodiscard]] Argument argumentOfSpelling(std::string_view key);

}  // namespace kinetoscope::import::event
