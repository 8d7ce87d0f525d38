// SPDX-License-Identifier: Apache-2.0
// What the rules are made of; each is in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "core/advise/Finding.h"
#include "core/advise/Material.h"

namespace kinetoscope::advise {

/// What a rule found; or why it could not judge. Neither: nothing worth a word.
struct Found {
    std::vector<Finding> findings;  ///< without rule and saving
    std::string abstained;
};

/// A row of the table of rules.
struct Rule {
    RuleFacts facts;
    Found (*look)(Material& material);
};

/// "21.70 %".
[[nodiscard]] std::string shareOf(TimeNs part, TimeNs whole);
/// "1,234".
[[nodiscard]] std::string countOf(std::uint64_t count);

[[nodiscard]] Rule hostBoundRule();

}  // namespace kinetoscope::advise
