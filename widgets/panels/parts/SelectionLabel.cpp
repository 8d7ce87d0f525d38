// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/SelectionLabel.h"

#include "core/text/Format.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

QString textOf(const session::ViewState& view) {
    if (!view.trace() || isNothing(view.selection())) {
        return {};
    }
    const trace::Trace& trace = *view.trace();
    const QString what = style::shownText(session::selectionText(trace, view.selection()));
    const trace::SliceId slice = view.selected();
    return slice == trace::kNoSlice
               ? what
               : QStringLiteral("%1  %2").arg(
                     what, QString::fromStdString(text::formatDuration(trace.duration(slice))));
}

}  // namespace

QWidget* makeSelectionLabel(session::ViewState& view, QWidget* parent) {
    auto* label = new style::ElidedLabel({}, Qt::AlignLeft, parent);
    label->setObjectName(QStringLiteral("selection"));
    const auto tell = [label, &view] { label->setText(textOf(view)); };
    for (const auto signal :
         {&session::ViewState::selectionChanged, &session::ViewState::traceChanged}) {
        QObject::connect(&view, signal, label, tell);
    }
    tell();
    return label;
}

}  // namespace kinetoscope::panels
