// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QRgb>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/Trace.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

/// `share` of `over` on `under`, 0 to 1; opaque.
[[nodiscard]] QRgb mixRgb(QRgb under, QRgb over, double share);

/// Fill and text colour of slices. Slices with meaningful names (kernels, operators, Python
/// functions) are coloured by name, the rest by category.
class SliceColors {
public:
    /// Forgets colours; call on another trace and on another theme.
    void reset(std::shared_ptr<const trace::Trace> trace, const style::Theme& theme);

    /// Names whose colour is that of another name, until the next trace.
    void setNames(const QHash<NameId, std::string>& names);

    [[nodiscard]] QRgb fill(NameId name, trace::CategoryId category);
    [[nodiscard]] QRgb instant(const trace::Instant& instant) const;
    [[nodiscard]] QRgb textOn(QRgb fill);

private:
    std::shared_ptr<const trace::Trace> m_trace;
    style::Theme m_theme = style::Theme::current();
    QHash<NameId, std::string> m_names;
    std::vector<QRgb> m_byName;  ///< 0: not computed yet
    QHash<QRgb, QRgb> m_text;
};

}  // namespace kinetoscope::timeline
