// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/NoteMarks.h"

#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kFlagWidth = 9.0;
constexpr double kFlagHeight = 8.0;
constexpr double kReach = 2.0;  // of the pointer beside a flag
constexpr float kShade = 0.10F;

QColor noteColor() {
    return style::Theme::current().highlight();
}

// The visible part of a note: its start, which may lie outside, and its part of the area.
struct SeenNote {
    double begin;
    double left;
    double right;
};

template <class Paint>
void forEachSeen(const QRectF& area, const TimeCoordinates& at,
                 const std::vector<sidecar::Note>& notes, const Paint& paint) {
    for (const sidecar::Note& note : notes) {
        const double from = at.x(note.span.start);
        const double to = at.x(note.span.end);
        if (to >= area.left() - kFlagWidth && from <= area.right()) {
            paint(SeenNote{std::floor(from), std::max(from, area.left() - 1),
                           std::min(to, area.right() + 1)});
        }
    }
}

}  // namespace

void paintFlags(QPainter& painter, const QRectF& area, const TimeCoordinates& at,
                const std::vector<sidecar::Note>& notes) {
    const QColor color = noteColor();
    QColor bar = color;
    bar.setAlphaF(0.5F);
    forEachSeen(area, at, notes, [&](const SeenNote& note) {
        painter.fillRect(QRectF(note.left, area.top(), std::max(0.0, note.right - note.left), 3),
                         bar);
        const double x = note.begin;
        painter.fillRect(QRectF(x, area.top(), 1, area.height()), color);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF({{x, area.top()},
                                       {x + kFlagWidth, area.top() + kFlagHeight / 2},
                                       {x, area.top() + kFlagHeight}}));
        painter.setRenderHint(QPainter::Antialiasing, false);
    });
}

void paintNotes(QPainter& painter, const QRectF& area, const TimeCoordinates& at,
                const std::vector<sidecar::Note>& notes) {
    QColor shade = noteColor();
    QColor edge = shade;
    shade.setAlphaF(kShade);
    edge.setAlphaF(0.6F);
    forEachSeen(area, at, notes, [&](const SeenNote& note) {
        if (note.right > note.left) {
            painter.fillRect(QRectF(note.left, area.top(), note.right - note.left, area.height()),
                             shade);
        }
        painter.fillRect(QRectF(note.begin, area.top(), 1, area.height()), edge);
    });
}

const sidecar::Note* flagAt(const TimeCoordinates& at, const std::vector<sidecar::Note>& notes,
                            double x) {
    const auto found = std::ranges::find_if(notes, [&](const sidecar::Note& note) {
        const double from = at.x(note.span.start);
        return x >= from - kReach && x <= from + kFlagWidth + kReach;
    });
    return found == notes.end() ? nullptr : &*found;
}

const sidecar::Note* noteAt(const TimeCoordinates& at, const std::vector<sidecar::Note>& notes,
                            double x) {
    const sidecar::Note* found = flagAt(at, notes, x);
    if (found != nullptr) {
        return found;
    }
    for (const sidecar::Note& note : notes) {
        const bool within = at.x(note.span.start) <= x && x <= at.x(note.span.end);
        if (within && (found == nullptr || note.span.duration() < found->span.duration())) {
            found = &note;
        }
    }
    return found;
}

QString noteText(const sidecar::Note& note, TimeNs origin) {
    const QString when = QString::fromStdString(text::formatDuration(note.span.start - origin));
    const QString at =
        note.span.empty()
            ? QObject::tr("at %1").arg(when)
            : QObject::tr("%1 from %2")
                  .arg(QString::fromStdString(text::formatDuration(note.span.duration())), when);
    return QString::fromStdString(note.text) + QLatin1Char('\n') + at;
}

}  // namespace kinetoscope::timeline
