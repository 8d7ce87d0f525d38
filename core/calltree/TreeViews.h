// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/base/Result.h"
#include "core/calltree/CallTree.h"

namespace kinetoscope::calltree {

/// Maximum length of chains of callers.
inline constexpr std::uint32_t kMaxCallers = 256;
/// A tree of callers has no more nodes than this; those with the most time are kept.
inline constexpr std::size_t kMaxCallerNodes = 2'000'000;

/// Every name with the time that its calls had for themselves, below it who called it, and so on:
/// total is always the time of the uppermost frame, self the part whose chain ends there. Where it
/// gets larger than the limits above, chains end early (isCut). All times sum up as in `tree`.
[[nodiscard]] Result<CallTree> bottomUp(const trace::Trace& trace, const CallTree& tree,
                                        const std::stop_token& stop = {});

/// One node for each name, all below the root: total, without what it calls itself again inside,
/// self, and all calls. Totals contain each other, so they do not sum up to the root's.
[[nodiscard]] Result<CallTree> byName(const trace::Trace& trace, const CallTree& tree,
                                      const std::stop_token& stop = {});

/// The calls of one name that are not inside another call of it: that name, below it who called
/// it and so on. Empty when the tree does not have it.
[[nodiscard]] Result<CallTree> callersOf(const trace::Trace& trace, const CallTree& tree,
                                         NameId name, const std::stop_token& stop = {});

/// The same calls: that name, below it what it called and so on.
[[nodiscard]] Result<CallTree> calleesOf(const trace::Trace& trace, const CallTree& tree,
                                         NameId name, const std::stop_token& stop = {});

/// The node of `to` with the same path of names as `node` in `from`, or kNoNode.
[[nodiscard]] NodeId samePath(const CallTree& from, NodeId node, const CallTree& to);

}  // namespace kinetoscope::calltree
