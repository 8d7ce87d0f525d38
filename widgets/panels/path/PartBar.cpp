// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/path/PartBar.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <array>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

constexpr double kPartBarMargin = 4.0;
constexpr double kTextMargin = 6.0;

}  // namespace

QColor partColor(path::PartKind kind) {
    const style::Theme& theme = style::Theme::current();
    switch (kind) {
        case path::PartKind::Kernel:
            return theme.compute();
        case path::PartKind::Communication:
            return theme.communication();
        case path::PartKind::Copy:
            return theme.copies();
        case path::PartKind::Cpu:
            return theme.categoryColor(trace::Category::CpuOp);
        case path::PartKind::Launch:
            return theme.categoryColor(trace::Category::Runtime);
        case path::PartKind::Synchronization:
            return theme.warning();
        case path::PartKind::Gap:
            break;
    }
    return theme.idle();
}

QString partKindTitle(path::PartKind kind) {
    static const std::array<const char*, path::kPartKinds> kTitles{
        QT_TR_NOOP("Kernels"), QT_TR_NOOP("Communication"), QT_TR_NOOP("Copies"),
        QT_TR_NOOP("CPU"),     QT_TR_NOOP("Launches"),      QT_TR_NOOP("Synchronisation"),
        QT_TR_NOOP("Gaps")};
    return PartBar::tr(kTitles[static_cast<std::size_t>(kind)]);
}

PartBar::PartBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("pathBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Parts of the critical path"));
    setWhatsThis(
        tr("The critical path of the step, traced back from its end along the dependency that "
           "finished last. The parts add up to the step; click one to show its kind."));
}

void PartBar::setPath(const std::shared_ptr<const session::ShownPath>& shown) {
    m_sums.clear();
    m_whole = shown ? shown->found->path.span.duration() : 0;
    std::array<TimeNs, path::kPartKinds> sums{};
    for (const path::Part& part : shown ? shown->found->path.parts : std::vector<path::Part>()) {
        sums[static_cast<std::size_t>(part.kind)] += part.ns;
    }
    for (std::size_t kind = 0; kind < sums.size(); ++kind) {
        if (sums[kind] > 0) {
            m_sums.push_back({static_cast<path::PartKind>(kind), sums[kind]});
        }
    }
    update();
}

QRectF PartBar::boxOf(path::PartKind kind) const {
    const QRectF all =
        QRectF(rect()).adjusted(kPartBarMargin, kPartBarMargin, -kPartBarMargin, -kPartBarMargin);
    TimeNs before = 0;
    for (const Sum& sum : m_sums) {
        const auto place = [&](TimeNs ns) {
            return all.left() +
                   all.width() * static_cast<double>(ns) / static_cast<double>(m_whole);
        };
        if (sum.kind == kind) {
            return {QPointF(place(before), all.top()),
                    QPointF(place(before + sum.ns), all.bottom())};
        }
        before += sum.ns;
    }
    return {};
}

std::optional<PartBar::Sum> PartBar::at(QPointF point) const {
    for (const Sum& sum : m_sums) {
        if (boxOf(sum.kind).contains(point)) {
            return sum;
        }
    }
    return std::nullopt;
}

void PartBar::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    for (const Sum& sum : m_sums) {
        const QRectF box = boxOf(sum.kind);
        const QColor color = partColor(sum.kind);
        painter.fillRect(box, color);
        const QString text = partKindTitle(sum.kind) + QLatin1Char(' ') +
                             models::toText(text::formatPercent(static_cast<double>(sum.ns),
                                                                static_cast<double>(m_whole)));
        if (painter.fontMetrics().horizontalAdvance(text) + kTextMargin <= box.width()) {
            painter.setPen(style::Theme::current().textOn(color));
            painter.drawText(box, Qt::AlignCenter, text);
        }
    }
}

bool PartBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto sum = at(help->pos())) {
        const QString text = models::toText(text::formatDuration(sum->ns)) + QStringLiteral(", ") +
                             models::toText(text::formatPercent(static_cast<double>(sum->ns),
                                                                static_cast<double>(m_whole)));
        QToolTip::showText(help->globalPos(), style::plainToolTip(text, partKindTitle(sum->kind)),
                           this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void PartBar::mousePressEvent(QMouseEvent* event) {
    if (const auto sum = at(event->position())) {
        emit kindClicked(sum->kind);
    }
}

}  // namespace kinetoscope::panels
