// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/advise/Finding.h"
#include "core/advise/Material.h"

namespace kinetoscope::advise {

/// Operations of one kind, and when nothing else ran beside them.
struct Exposed {
    std::vector<trace::GpuOpId> operations;
    TimeNs ns = 0;         ///< union, of a GPU with such operations on average
    TimeNs exposedNs = 0;  ///< of it, without any other operation of that GPU
    TimeNs gpus = 0;       ///< that have some
};

[[nodiscard]] Exposed findExposed(const Material& material,
                                  const std::function<bool(trace::GpuOpId)>& isMeant);

/// The operations take no time, and are the events.
void dropOperations(const Material& material, const std::vector<trace::GpuOpId>& operations,
                    Finding& finding);

}  // namespace kinetoscope::advise
