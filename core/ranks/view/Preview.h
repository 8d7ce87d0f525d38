// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/ranks/view/ShownJob.h"

namespace kinetoscope::ranks::view {

/// The steps of those ranks of a job that have been read: something to look at while the others
/// are, and until it is known who waited for whom.
class Preview {
public:
    void add(const RankRecord& record);
    [[nodiscard]] std::size_t ranks() const { return m_ranks.size(); }

    /// Without collectives, causes and what the GPUs did; each rank on its own clock.
    [[nodiscard]] std::shared_ptr<const ShownJob> show() const;

private:
    std::vector<RankRecord> m_ranks;  ///< steps only
};

}  // namespace kinetoscope::ranks::view
