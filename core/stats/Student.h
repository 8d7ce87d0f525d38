// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kinetoscope::stats {

/// Of Student's distribution with `freedom` degrees of freedom, above 0 and not only whole numbers.
/// Probability of a value above `t`, with all its digits far out, too.
[[nodiscard]] double studentTail(double t, double freedom);
/// The t above which a value lies with probability `tail`, above 0 and at most 0.5.
[[nodiscard]] double studentQuantile(double tail, double freedom);

}  // namespace kinetoscope::stats
