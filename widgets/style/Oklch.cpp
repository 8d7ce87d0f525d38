// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/Oklch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace kinetoscope::style {

namespace {

constexpr double kChromaStep = 0.005;
constexpr double kGamutSlack = 1e-4;

// The matrices are those of Björn Ottosson's definition of OKLab (2020).
std::array<double, 3> linearRgb(double lightness, double chroma, double hueDegrees) {
    const double hue = hueDegrees * std::numbers::pi / 180.0;
    const double a = chroma * std::cos(hue);
    const double b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool onScreen(const std::array<double, 3>& rgb) {
    return std::all_of(rgb.begin(), rgb.end(),
                       [](double v) { return v >= -kGamutSlack && v <= 1.0 + kGamutSlack; });
}

float encode(double linear) {
    const double v = std::clamp(linear, 0.0, 1.0);
    return static_cast<float>(v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
}

double decode(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

}  // namespace

QColor oklch(double lightness, double chroma, double hueDegrees) {
    auto rgb = linearRgb(lightness, chroma, hueDegrees);
    while (!onScreen(rgb) && chroma > kChromaStep) {
        chroma -= kChromaStep;
        rgb = linearRgb(lightness, chroma, hueDegrees);
    }
    return QColor::fromRgb(QColor::fromRgbF(encode(rgb[0]), encode(rgb[1]), encode(rgb[2])).rgb());
}

double relativeLuminance(const QColor& color) {
    return 0.2126 * decode(static_cast<double>(color.redF())) +
           0.7152 * decode(static_cast<double>(color.greenF())) +
           0.0722 * decode(static_cast<double>(color.blueF()));
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = relativeLuminance(a);
    const double lb = relativeLuminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mixColors(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) {
        return static_cast<int>(std::lround(x + (y - x) * std::clamp(share, 0.0, 1.0)));
    };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

}  // namespace kinetoscope::style
