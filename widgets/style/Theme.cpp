// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/Theme.h"

#include <QApplication>
#include <cstdint>

#include "widgets/style/Oklch.h"

namespace kinetoscope::style {

namespace {

// Of a name. Tables give no more than the first thousands of letters of one.
constexpr std::size_t kMaxHashed = 2000;

QColor withAlpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

bool looksDark(const QPalette& palette) {
    return relativeLuminance(palette.color(QPalette::Window)) <
           relativeLuminance(palette.color(QPalette::WindowText));
}

/// The few colours a palette is made of.
struct Surfaces {
    QColor window, base, alternate, button, text, muted, accent, onAccent, tip;
};

QPalette makePalette(const Surfaces& s) {
    QPalette palette(s.button, s.window);
    palette.setColor(QPalette::Window, s.window);
    palette.setColor(QPalette::WindowText, s.text);
    palette.setColor(QPalette::Base, s.base);
    palette.setColor(QPalette::AlternateBase, s.alternate);
    palette.setColor(QPalette::Text, s.text);
    palette.setColor(QPalette::Button, s.button);
    palette.setColor(QPalette::ButtonText, s.text);
    palette.setColor(QPalette::BrightText, s.text);
    palette.setColor(QPalette::PlaceholderText, s.muted);
    palette.setColor(QPalette::Highlight, s.accent);
    palette.setColor(QPalette::HighlightedText, s.onAccent);
    palette.setColor(QPalette::Link, s.accent);
    palette.setColor(QPalette::LinkVisited, s.accent);
    palette.setColor(QPalette::ToolTipBase, s.tip);
    palette.setColor(QPalette::ToolTipText, s.text);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, s.muted);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, mixColors(s.base, s.muted, 0.4));
    return palette;
}

}  // namespace

Theme::Theme(const QPalette& palette) : m_dark(looksDark(palette)) {
    m_window = palette.color(QPalette::Window);
    m_base = palette.color(QPalette::Base);
    m_raised = palette.color(QPalette::AlternateBase);
    m_text = palette.color(QPalette::Text);
    m_mutedText = mixColors(m_text, m_base, m_dark ? 0.38 : 0.36);
    m_border = mixColors(m_window, m_text, m_dark ? 0.17 : 0.16);
    m_grid = mixColors(m_base, m_text, m_dark ? 0.09 : 0.08);
    m_accent = palette.color(QPalette::Link);
    setMeanings();
    setCategories();
    for (std::size_t i = 0; i < kNameColors; ++i) {
        const double hue = 360.0 * static_cast<double>(i) / kNameColors;
        m_names[i] = m_dark ? oklch(0.50, 0.095, hue) : oklch(0.80, 0.085, hue);
    }
}

void Theme::setMeanings() {
    m_selection = m_dark ? oklch(0.93, 0.03, 250) : oklch(0.28, 0.06, 262);
    m_rangeFill = withAlpha(m_accent, m_dark ? 46 : 36);
    m_highlight = m_dark ? oklch(0.86, 0.15, 90) : oklch(0.58, 0.19, 35);
    m_hover = withAlpha(m_text, m_dark ? 26 : 18);
    m_warning = m_dark ? oklch(0.80, 0.14, 80) : oklch(0.62, 0.14, 68);
    m_error = m_dark ? oklch(0.70, 0.17, 25) : oklch(0.55, 0.19, 27);
    m_good = m_dark ? oklch(0.76, 0.14, 150) : oklch(0.56, 0.14, 150);
    const double lightness = m_dark ? 0.68 : 0.66;
    m_compute = oklch(lightness, 0.12, 155);
    m_mmConv = oklch(lightness, 0.13, 300);
    m_communication = oklch(lightness, 0.13, 25);
    m_copies = oklch(lightness + 0.08, 0.13, 80);
    m_idle = mixColors(m_base, m_text, m_dark ? 0.18 : 0.14);
}

void Theme::setCategories() {
    const double lightness = m_dark ? 0.62 : 0.70;
    m_categories.fill(oklch(lightness, 0.02, 260));
    const auto set = [&](trace::Category category, double chroma, double hue) {
        m_categories[static_cast<std::size_t>(category)] = oklch(lightness, chroma, hue);
    };
    set(trace::Category::CpuOp, 0.10, 250);
    set(trace::Category::UserAnnotation, 0.10, 330);
    set(trace::Category::GpuUserAnnotation, 0.10, 345);
    set(trace::Category::Kernel, 0.12, 155);
    set(trace::Category::GpuMemcpy, 0.12, 75);
    set(trace::Category::GpuMemset, 0.10, 105);
    set(trace::Category::Runtime, 0.10, 290);
    set(trace::Category::Driver, 0.10, 310);
    set(trace::Category::CudaSync, 0.09, 45);
    set(trace::Category::CudaEvent, 0.07, 60);
    set(trace::Category::Overhead, 0.13, 25);
    set(trace::Category::PythonFunction, 0.07, 200);
    set(trace::Category::TraceSpan, 0.04, 230);
}

const Theme& Theme::current() {
    static qint64 key = QApplication::palette().cacheKey();
    static Theme theme(QApplication::palette());
    if (const qint64 now = QApplication::palette().cacheKey(); now != key) {
        key = now;
        theme = Theme(QApplication::palette());
    }
    return theme;
}

QColor Theme::nameColor(std::string_view name) const {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, the same on every machine
    for (const char c : name.substr(0, kMaxHashed)) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return m_names[(hash ^ (hash >> 32)) % kNameColors];
}

QColor Theme::textOn(const QColor& background) const {
    const QColor dark(24, 27, 33);
    const QColor light(250, 250, 252);
    return contrastRatio(background, dark) >= contrastRatio(background, light) ? dark : light;
}

QPalette Theme::lightPalette() {
    return makePalette({.window = QColor(0xf3, 0xf4, 0xf6),
                        .base = QColor(0xff, 0xff, 0xff),
                        .alternate = QColor(0xf7, 0xf8, 0xfa),
                        .button = QColor(0xee, 0xf0, 0xf3),
                        .text = QColor(0x1d, 0x21, 0x29),
                        .muted = QColor(0x8b, 0x93, 0xa1),
                        .accent = QColor(0x2f, 0x6f, 0xd0),
                        .onAccent = QColor(0xff, 0xff, 0xff),
                        .tip = QColor(0xff, 0xff, 0xff)});
}

QPalette Theme::darkPalette() {
    return makePalette({.window = QColor(0x22, 0x25, 0x2b),
                        .base = QColor(0x1a, 0x1c, 0x21),
                        .alternate = QColor(0x1f, 0x22, 0x28),
                        .button = QColor(0x2c, 0x30, 0x38),
                        .text = QColor(0xdf, 0xe3, 0xea),
                        .muted = QColor(0x7c, 0x84, 0x92),
                        .accent = QColor(0x6c, 0xa4, 0xf8),
                        .onAccent = QColor(0x10, 0x14, 0x1c),
                        .tip = QColor(0x2c, 0x30, 0x38)});
}

}  // namespace kinetoscope::style
