// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/ranks/MatchCollectives.h"

namespace kinetoscope::ranks {

/// The rate of the slowest link that a collective used.
struct Link {
    std::string name;     ///< "NVLink 4"; empty: not known
    double gbPerS = 0.0;  ///< each way; 0: not known
    std::string source;   ///< where the figure comes from
};

/// The links of a job. One is known if all members are on one machine and their GPUs are in
/// resources/gpus.json with a link of their own. Files without hosts are of one machine if each
/// rank has a GPU of its own among those that the files list. Links between machines are not in a
/// trace.
class Links {
public:
    explicit Links(const std::vector<RankRecord>& records);

    [[nodiscard]] Link slowest(const Collective& collective) const;

private:
    const std::vector<RankRecord>& m_records;
    std::vector<Link> m_links;  ///< by record
    bool m_fitOneMachine = false;
};

}  // namespace kinetoscope::ranks
