// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace kinetoscope::stats {

enum class Verdict : std::uint8_t { Faster, Slower, Same, Unsure };

[[nodiscard]] std::string_view verdictName(Verdict verdict);  ///< "FASTER" …

inline constexpr double kTraceTolerance = 0.03;
inline constexpr double kBenchTolerance = 0.01;

struct VerdictRule {
    double tolerance = kTraceTolerance;  ///< t: changes within 1 ± t count as none
    double error = 0.05;                 ///< of all intervals together
    std::size_t leastPairs = 5;
    /// Kernels beside these that are undecided and might have been tested.
    std::size_t others = 0;
};

/// The samples of one kernel on both sides.
struct PairedTimes {
    std::vector<double> base;       ///< one unit, above 0
    std::vector<double> candidate;  ///< the same length
    bool identical = false;         ///< both sequences are the same, nothing was left unpaired
};

/// Of candidate time / baseline time.
struct RatioInterval {
    double low = 1.0;
    double high = 1.0;
};

struct Decision {
    Verdict verdict = Verdict::Unsure;
    double ratio = 1.0;  ///< exp of the median of the log ratios; 1 without pairs
    /// None below `leastPairs`.
    std::optional<RatioInterval> interval;
};

/// One decision for each kernel. The interval of a kernel is that of the median of its log ratios,
/// bootstrapped over its pairs, at the level that Holm's step-down procedure gives it among all
/// kernels that are tested: those that are not identical and have enough pairs.
[[nodiscard]] std::vector<Decision> decide(std::span<const PairedTimes> kernels,
                                           const VerdictRule& rule,
                                           const std::stop_token& stop = {});

/// Times of one kernel on both sides that depend on nothing in common: of whole runs, or of places
/// in memory. Not necessarily equally many.
struct IndependentTimes {
    std::vector<double> base;  ///< one unit, above 0
    std::vector<double> candidate;
    bool identical = false;  ///< both sides are the same
};

/// Like decide(), for times that are not paired: the interval is that of the ratio of the geometric
/// means, by Welch's t-test of the logarithms. Each side needs `leastPairs`.
[[nodiscard]] std::vector<Decision> decideIndependent(std::span<const IndependentTimes> kernels,
                                                      const VerdictRule& rule,
                                                      const std::stop_token& stop = {});

/// The bootstrap distribution of a median, exact: what resampling approaches with ever more
/// resamples. The median of an even count is the mean of the two in the middle.
class MedianBootstrap {
public:
    /// `values` in any order, not empty.
    explicit MedianBootstrap(std::vector<double> values);

    [[nodiscard]] double median() const;
    /// Probability that the median of a resample is at most (`orEqual`) or below `bound`.
    [[nodiscard]] double atMost(double bound, bool orEqual = true) const;
    /// Smallest value that a resample's median stays at or below with probability `p` (0 to 1).
    [[nodiscard]] double quantile(double p) const;

private:
    struct Range {
        std::size_t first;
        std::size_t last;
    };

    [[nodiscard]] double oddAtMost(std::size_t count) const;
    [[nodiscard]] double evenAtMost(double bound, bool orEqual) const;
    [[nodiscard]] std::size_t countUpTo(double bound, bool orEqual) const;
    [[nodiscard]] Range middle() const;

    std::vector<double> m_values;  ///< sorted
    // Of an even count only: ranks from 1 that the lower of the two in the middle can take, and the
    // probability that it is at most the value of that rank; the first one is of the rank before.
    Range m_middle{1, 0};
    std::vector<double> m_reached;
};

}  // namespace kinetoscope::stats
