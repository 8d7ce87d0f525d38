// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/ranks/MatchCollectives.h"

namespace kinetoscope::ranks {

/// The ranks by what they run: the stages of a pipeline do different work, and only those of one
/// stage can be compared by how long it takes. Ranks that send each other nothing run the same; of
/// the others those that meet in a group in which all send and get the same, or far more often than
/// they send.
class Peers {
public:
    explicit Peers(const std::vector<RankRecord>& records);

    [[nodiscard]] bool areAlike(std::size_t a, std::size_t b) const {
        return m_classOf[a] == m_classOf[b];
    }
    /// Whether no other rank runs the same program.
    [[nodiscard]] bool isAlone(std::size_t record) const {
        return m_classes[m_classOf[record]].size() == 1;
    }
    /// Rows of the records of each class.
    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& classes() const {
        return m_classes;
    }

    /// The members of a collective that can be compared with each other.
    [[nodiscard]] std::vector<std::vector<Member>> alike(const std::vector<Member>& members) const;

    /// Calls compared in addition to the collectives: the messages of one place in the step on the
    /// ranks of a class, and all calls of a rank that is alone, by place in all of its steps.
    /// `stepOf`: by record and call.
    [[nodiscard]] std::vector<std::vector<Member>> places(
        const std::vector<std::vector<std::int64_t>>& stepOf) const;

private:
    using Meetings = std::map<std::uint32_t, std::size_t>;  ///< records, and how often each came

    void join(const Meetings& meetings);

    const std::vector<RankRecord>& m_records;
    std::vector<std::size_t> m_classOf;
    std::vector<std::vector<std::uint32_t>> m_classes;
};

}  // namespace kinetoscope::ranks
