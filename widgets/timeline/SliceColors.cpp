// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/SliceColors.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope::timeline {

namespace {

bool hasTellingName(trace::Category category) {
    switch (category) {
        case trace::Category::None:
        case trace::Category::CpuOp:
        case trace::Category::UserAnnotation:
        case trace::Category::Kernel:
        case trace::Category::PythonFunction:
        case trace::Category::Other:
            return true;
        default:
            return false;
    }
}

}  // namespace

QRgb mixRgb(QRgb under, QRgb over, double share) {
    const int weight = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * 256));
    const auto mix = [weight](int a, int b) { return (a * (256 - weight) + b * weight) / 256; };
    return qRgb(mix(qRed(under), qRed(over)), mix(qGreen(under), qGreen(over)),
                mix(qBlue(under), qBlue(over)));
}

void SliceColors::reset(std::shared_ptr<const trace::Trace> trace, const style::Theme& theme) {
    if (trace != m_trace) {
        m_names.clear();
    }
    m_trace = std::move(trace);
    m_theme = theme;
    m_byName.assign(m_trace ? m_trace->names().size() : 0, 0);
    m_text.clear();
}

void SliceColors::setNames(const QHash<NameId, std::string>& names) {
    m_names = names;
    std::ranges::fill(m_byName, 0);
}

QRgb SliceColors::fill(NameId name, trace::CategoryId category) {
    const trace::Category kind = trace::categoryKind(category);
    if (!hasTellingName(kind)) {
        return m_theme.categoryColor(kind).rgb();
    }
    QRgb& color = m_byName[name];
    if (color == 0) {
        const auto other = m_names.constFind(name);
        color = m_theme.nameColor(other == m_names.constEnd() ? m_trace->text(name) : *other).rgb();
    }
    return color;
}

QRgb SliceColors::instant(const trace::Instant& instant) const {
    return m_theme.categoryColor(trace::categoryKind(instant.category)).rgb();
}

QRgb SliceColors::textOn(QRgb fill) {
    const auto known = m_text.constFind(fill);
    if (known != m_text.constEnd()) {
        return *known;
    }
    const QRgb text = m_theme.textOn(QColor::fromRgb(fill)).rgb();
    m_text.insert(fill, text);
    return text;
}

}  // namespace kinetoscope::timeline
