// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/ranks/MatchCollectives.h"

namespace kinetoscope::ranks {

/// The ranks by what they run: the stages of a pipeline do different work, and only those of one
/// stage can be compared by how long it takes. Ranks that send each other nothing run the same.
class Peers {
public:
    explicit Peers(const std::vector<RankRecord>& records);

    [[nodiscard]] bool areAlike(std::size_t a, std::size_t b) const {
        return m_classOf[a] == m_classOf[b];
    }
    /// Whether nobody runs what this one does.
    [[nodiscard]] bool isAlone(std::size_t record) const {
        return m_classes[m_classOf[record]].size() == 1;
    }
    /// Rows of the records of each class.
    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& classes() const {
        return m_classes;
    }

    /// The messages that can be compared: those of one place in the step on the ranks of a class,
    /// or, of a rank that is alone, in all of its steps. `stepOf`: by record and call.
    [[nodiscard]] std::vector<std::vector<Member>> messages(
        const std::vector<std::vector<std::int64_t>>& stepOf) const;

private:
    const std::vector<RankRecord>& m_records;
    std::vector<std::size_t> m_classOf;
    std::vector<std::vector<std::uint32_t>> m_classes;
};

}  // namespace kinetoscope::ranks
