// SPDX-License-Identifier: Apache-2.0
#include "core/stats/Student.h"

#include <cmath>
#include <limits>

namespace kinetoscope::stats {

namespace {

constexpr double kTiny = 1e-300;

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), from the
// front by Lentz's method; it converges quickly for x < (a + 1) / (a + b + 2).
double betaFraction(double x, double a, double b) {
    constexpr int kMaxTerms = 1000;
    constexpr double kEnough = 1e-15;
    const auto notZero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
    double value = 1.0;
    double c = 1.0;
    double d = 0.0;
    for (int term = 1; term < kMaxTerms; ++term) {
        const double m = std::floor(term / 2.0);
        const double part =
            term % 2 == 0 ? m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
                          : -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / notZero(1.0 + part * d);
        c = notZero(1.0 + part / c);
        value *= c * d;
        if (std::abs(c * d - 1.0) < kEnough) {
            break;
        }
    }
    return 1.0 / value;
}

// The regularised incomplete beta function I_x(a, b); `y` is 1 - x without its rounding.
double incompleteBeta(double x, double y, double a, double b) {
    if (x <= 0.0 || y <= 0.0) {
        return x <= 0.0 ? 0.0 : 1.0;
    }
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log(y));
    return x < (a + 1.0) / (a + b + 2.0) ? front * betaFraction(x, a, b) / a
                                         : 1.0 - front * betaFraction(y, b, a) / b;
}

}  // namespace

double studentTail(double t, double freedom) {
    if (!std::isfinite(t)) {
        return t > 0.0 ? 0.0 : 1.0;
    }
    const double square = t * t;
    const double whole = freedom + square;
    const double half = 0.5 * incompleteBeta(freedom / whole, square / whole, freedom / 2.0, 0.5);
    return t >= 0.0 ? half : 1.0 - half;
}

double studentQuantile(double tail, double freedom) {
    double low = 0.0;
    double high = 1.0;
    while (studentTail(high, freedom) > tail && high < std::numeric_limits<double>::max() / 4.0) {
        high *= 2.0;
    }
    constexpr int kHalvings = 200;
    for (int i = 0; i < kHalvings; ++i) {
        const double between = low + (high - low) / 2.0;
        if (between <= low || between >= high) {
            break;
        }
        (studentTail(between, freedom) > tail ? low : high) = between;
    }
    return high;
}

}  // namespace kinetoscope::stats
