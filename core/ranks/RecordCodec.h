// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/ranks/RankRecord.h"

namespace kinetoscope::ranks {

/// A record as bytes, the same ones for the same record. Fails when its times lie further apart
/// than any recording is long.
[[nodiscard]] Result<std::string> encodeRecord(const RankRecord& record);

/// The record of encodeRecord(). Fails on any other bytes; what it gives can be analysed without
/// further checks.
[[nodiscard]] Result<RankRecord> decodeRecord(std::string_view bytes);

}  // namespace kinetoscope::ranks
