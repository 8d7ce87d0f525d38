// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stats/Verdict.h"

namespace kinetoscope::stats {

namespace {

// Probabilities below this count as none; so do differences of logarithms.
constexpr double kNothing = 1e-18;
constexpr double kSameLog = 1e-15;

double logOf(std::size_t part, std::size_t whole) {
    return part == 0 ? -std::numeric_limits<double>::infinity()
                     : std::log(static_cast<double>(part) / static_cast<double>(whole));
}

double logFactorial(std::size_t n) {
    return std::lgamma(static_cast<double>(n) + 1.0);
}

// P(X >= least) of a binomial distribution with `n` trials of probability part / n.
double binomialAtLeast(std::size_t n, std::size_t part, std::size_t least) {
    if (part == 0 || part >= n) {
        return part == 0 ? 0.0 : 1.0;
    }
    const double odds = static_cast<double>(part) / static_cast<double>(n - part);
    double term = std::exp(logFactorial(n) - logFactorial(least) - logFactorial(n - least) +
                           static_cast<double>(least) * logOf(part, n) +
                           static_cast<double>(n - least) * logOf(n - part, n));
    double sum = 0.0;
    for (std::size_t k = least; k <= n; ++k) {
        sum += term;
        // Terms fall for good behind the mean.
        if (k > part && term < kNothing) {
            break;
        }
        term *= odds * static_cast<double>(n - k) / static_cast<double>(k + 1);
    }
    return std::min(sum, 1.0);
}

}  // namespace

MedianBootstrap::MedianBootstrap(std::vector<double> values) : m_values(std::move(values)) {
    std::ranges::sort(m_values);
    const std::size_t n = m_values.size();
    if (n % 2 == 0) {
        m_middle = middle();
        for (std::size_t i = m_middle.first - 1; i <= m_middle.last; ++i) {
            m_reached.push_back(binomialAtLeast(n, i, n / 2));
        }
    }
}

double MedianBootstrap::median() const {
    const std::size_t half = m_values.size() / 2;
    return m_values.size() % 2 == 1 ? m_values[half] : (m_values[half - 1] + m_values[half]) / 2.0;
}

std::size_t MedianBootstrap::countUpTo(double bound, bool orEqual) const {
    const auto end = orEqual ? std::ranges::upper_bound(m_values, bound)
                             : std::ranges::lower_bound(m_values, bound);
    return static_cast<std::size_t>(end - m_values.begin());
}

double MedianBootstrap::oddAtMost(std::size_t count) const {
    const std::size_t n = m_values.size();
    return binomialAtLeast(n, count, n / 2 + 1);
}

// Beyond a dozen standard deviations of the median's rank nothing counts any more.
MedianBootstrap::Range MedianBootstrap::middle() const {
    const auto n = static_cast<double>(m_values.size());
    const double reach = 6.0 * std::sqrt(n) + 2.0;
    const double low = std::max(1.0, n / 2.0 - reach);
    return {static_cast<std::size_t>(low),
            static_cast<std::size_t>(std::min(n, n / 2.0 + reach + 1.0))};
}

// Let h = n / 2 and X(h), X(h + 1) be the two in the middle of a resample, x1 … xn the values. For
// i < j: P(X(h) = xi, X(h + 1) = xj) = C(n, h) (i^h - (i-1)^h) ((n-j+1)^h - (n-j)^h) / n^n, which
// telescopes over j; what P(X(h) = xi) leaves after all j > i is the case that both are xi.
double MedianBootstrap::evenAtMost(double bound, bool orEqual) const {
    const std::size_t n = m_values.size();
    const std::size_t half = n / 2;
    const double choose = logFactorial(n) - 2.0 * logFactorial(half);
    const auto h = static_cast<double>(half);
    const auto term = [&](std::size_t below, std::size_t above) {
        return below == 0 || above == 0
                   ? 0.0
                   : std::exp(choose + h * (logOf(below, n) + logOf(above, n)));
    };
    const auto isWithin = [&](double value) { return orEqual ? value <= bound : value < bound; };
    double sum = 0.0;
    for (std::size_t i = m_middle.first; i <= m_middle.last; ++i) {
        const std::size_t at = i - m_middle.first;
        const double value = m_values[i - 1];
        const double later = term(i, n - i) - term(i - 1, n - i);
        // (xi + xj) / 2 within the bound for all j up to `last`.
        const auto last = static_cast<std::size_t>(
            std::partition_point(m_values.begin() + static_cast<std::ptrdiff_t>(i), m_values.end(),
                                 [&](double other) { return isWithin((value + other) / 2.0); }) -
            m_values.begin());
        sum += later - (term(i, n - last) - term(i - 1, n - last));
        if (isWithin(value)) {
            sum += m_reached[at + 1] - m_reached[at] - later;
        }
    }
    return std::clamp(sum, 0.0, 1.0);
}

double MedianBootstrap::atMost(double bound, bool orEqual) const {
    if (m_values.front() > bound || (!orEqual && m_values.front() >= bound)) {
        return 0.0;
    }
    if (m_values.back() < bound || (orEqual && m_values.back() <= bound)) {
        return 1.0;
    }
    return m_values.size() % 2 == 1 ? oddAtMost(countUpTo(bound, orEqual))
                                    : evenAtMost(bound, orEqual);
}

double MedianBootstrap::quantile(double p) const {
    if (m_values.size() % 2 == 1) {
        const auto found =
            std::ranges::partition_point(m_values, [&](double value) { return atMost(value) < p; });
        return found == m_values.end() ? m_values.back() : *found;
    }
    double low = m_values.front();
    double high = m_values.back();
    if (atMost(low) >= p) {
        return low;
    }
    while (high - low > kSameLog) {
        const double between = low + (high - low) / 2.0;
        if (between <= low || between >= high) {
            break;
        }
        (atMost(between) >= p ? high : low) = between;
    }
    return high;
}

}  // namespace kinetoscope::stats
