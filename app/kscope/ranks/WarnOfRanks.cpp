// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/ranks/WarnOfRanks.h"

#include <fmt/format.h>

#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

void warnOfRanks(const std::vector<ranks::RankRecord>& records,
                 const std::vector<ranks::LostFile>& lost) {
    for (const ranks::LostFile& file : lost) {
        printWarning("not used: " + messageOf(file));
    }
    for (const ranks::RankRecord& record : records) {
        if (!record.complete) {
            printWarning(fmt::format(
                "'{}': the file could be read only in part; kscope report says what is missing",
                record.file));
        }
    }
}

}  // namespace kinetoscope::app
