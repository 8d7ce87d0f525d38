// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimelineMenus.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <algorithm>

#include "core/query/find/NameFilter.h"
#include "core/text/Format.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/rows/RowMoves.h"

namespace kinetoscope::timeline {

namespace {

constexpr qsizetype kMenuLetters = 40;

template <class Run>
QAction* addEntry(QMenu& menu, const char* name, const QString& text, Run run,
                  const QString& shortcut = {}) {
    // Keys stand beside the text: as shortcuts of the menu they would be those of the window too.
    QAction* action = menu.addAction(
        shortcut.isEmpty() ? text : text + QLatin1Char('\t') + shortcut, &menu, std::move(run));
    action->setObjectName(QString::fromLatin1(name));
    return action;
}

QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString quoted(std::string_view name) {
    return QStringLiteral("“%1”").arg(style::plainActionText(style::shownText(name, kMenuLetters)));
}

/// One line for each fact that is known immediately.
QString asText(const trace::Trace& trace, trace::SliceId slice, const QString& row) {
    const auto time = [](TimeNs ns) { return QString::fromStdString(text::formatDuration(ns)); };
    const QString category = fromUtf8(trace.categoryText(trace.categoryId(slice)));
    QString text = fromUtf8(trace.name(slice)) + QLatin1Char('\n');
    text += QObject::tr("Start: %1\n").arg(time(trace.start(slice) - trace.extent().start));
    text += QObject::tr("Duration: %1\n").arg(time(trace.duration(slice)));
    text += category.isEmpty() ? QString() : QObject::tr("Category: %1\n").arg(category);
    return text + QObject::tr("Row: %1\n").arg(row);
}

void copy(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace

void TimelineMenus::fill(QMenu& menu, const MenuPlace& place) const {
    if (!isNothing(place.what)) {
        fillObject(menu, place.what);
        menu.addSeparator();
    } else if (!place.onLabel) {
        fillGround(menu);
        menu.addSeparator();
    }
    if (place.row) {
        fillRow(menu, *place.row);
        menu.addSeparator();
    }
    fillRows(menu);
    menu.addSeparator();
    for (const Filler& filler : m_fillers) {
        filler(menu, place);
    }
}

void TimelineMenus::fillObject(QMenu& menu, const session::Selection& what) const {
    session::ViewState& state = m_state;
    const MenuTarget& timeline = m_timeline;
    addEntry(
        menu, "zoomToIt", QObject::tr("&Zoom to slice"),
        [&state, &timeline, what] {
            state.setSelection(what);
            timeline.fitSelection();
        },
        QStringLiteral("F"));
    if (const auto time = session::selectedTime(*state.trace(), what); time && !time->empty()) {
        addEntry(menu, "selectItsTime", QObject::tr("Select its &time span"),
                 [&state, time] { state.selectRange(*time); });
    }
    addEntry(menu, "showInDetails", QObject::tr("Show in &Details"), [&state, what] {
        state.setSelection(what);
        state.askForPanel(QStringLiteral("details"));
    });
    if (const trace::SliceId slice = sliceOf(what); slice != trace::kNoSlice) {
        menu.addSeparator();
        fillSlice(menu, slice);
    }
}

void TimelineMenus::fillSlice(QMenu& menu, trace::SliceId slice) const {
    const std::shared_ptr<const trace::Trace> trace = m_state.trace();
    const NameId name = trace->nameId(slice);
    session::ViewState& state = m_state;
    addEntry(menu, "findName", QObject::tr("&Find all %1").arg(quoted(trace->text(name))),
             [&state, trace, name] {
                 state.askToFind(QString::fromStdString(query::patternFor(trace->text(name))));
             });
    const bool isHighlighted = state.highlightedName() == name;
    addEntry(menu, "highlightName",
             isHighlighted ? QObject::tr("Clear &highlight")
                           : QObject::tr("&Highlight all with this name"),
             [&state, isHighlighted, name] {
                 state.highlightName(isHighlighted ? std::nullopt : std::optional(name));
             });
    addEntry(menu, "showCalls", QObject::tr("Show in the ca&ll tree"),
             [&state, name] { state.askForCalls(name); });
    if (state.isBenchable(slice)) {
        addEntry(menu, "benchOperator", QObject::tr("&Bench this operator"),
                 [&state, slice] { state.askForBench(slice); });
    }
    menu.addSeparator();
    addEntry(menu, "copyName", QObject::tr("&Copy name"),
             [trace, name] { copy(fromUtf8(trace->text(name))); });
    const TimelineRow* row = m_timeline.rows().find(state.layout()->lanes.placeOf(slice).track);
    const QString where = row == nullptr ? QString() : fromUtf8(row->label);
    addEntry(menu, "copyText", QObject::tr("Copy as te&xt"),
             [trace, slice, where] { copy(asText(*trace, slice, where)); });
}

void TimelineMenus::fillGround(QMenu& menu) const {
    session::ViewState& state = m_state;
    addEntry(
        menu, "fitTrace", QObject::tr("&Fit whole trace"), [&state] { state.fit(); },
        QKeySequence(Qt::CTRL | Qt::Key_0).toString(QKeySequence::NativeText));
    if (const auto range = state.selectedRange()) {
        addEntry(menu, "zoomToTime", QObject::tr("&Zoom to the selected time"),
                 [&state, range] { state.zoomTo(*range); });
        addEntry(menu, "endTime", QObject::tr("Cl&ear time selection"),
                 [&state] { state.selectRange(std::nullopt); });
    }
}

void TimelineMenus::fillRow(QMenu& menu, std::size_t index) const {
    const TimelineRow row = m_timeline.rows().rows()[index];
    const MenuTarget& timeline = m_timeline;
    const bool isGroup = row.kind == RowKind::Group;
    const auto change = [&timeline](auto what) {
        return [&timeline, what] { timeline.changeRows(what); };
    };
    if (isGroup) {
        const bool folded = timeline.rows().choices().folded.contains(row.key);
        addEntry(menu, "fold", folded ? QObject::tr("&Unfold") : QObject::tr("&Fold"),
                 change([key = row.key, folded](session::RowChoices& rows) {
                     rows.fold(key, !folded);
                 }));
        addEntry(menu, "foldAll",
                 folded ? QObject::tr("Unfold &all groups") : QObject::tr("Fold &all groups"),
                 change([keys = timeline.rows().keysIn(""), folded](session::RowChoices& rows) {
                     for (const std::string& key : keys) {
                         rows.fold(key, !folded);
                     }
                 }));
        addEntry(menu, "pin", QObject::tr("&Pin its rows"),
                 change([keys = timeline.rows().keysIn(row.key)](session::RowChoices& rows) {
                     for (const std::string& key : keys) {
                         rows.pin(key, true);
                     }
                 }));
    } else {
        addEntry(menu, "pin",
                 row.pinned ? QObject::tr("Un&pin row") : QObject::tr("&Pin row at the top"),
                 change([key = row.key, pinned = row.pinned](session::RowChoices& rows) {
                     rows.pin(key, !pinned);
                 }));
    }
    if (row.kind == RowKind::Counter) {
        fillCounter(menu, row.track);
    }
    addEntry(menu, "hide", isGroup ? QObject::tr("&Hide group") : QObject::tr("&Hide row"),
             change([key = row.key](session::RowChoices& rows) { rows.hide(key, true); }));
    fillMoves(menu, index);
    addEntry(menu, "copyRowName", QObject::tr("Copy its &label"),
             [label = row.label] { copy(fromUtf8(label)); });
}

void TimelineMenus::fillCounter(QMenu& menu, trace::TrackId track) const {
    session::ViewState& state = m_state;
    const std::span<const query::CounterSeries> all = state.layout()->marks.counters(track);
    if (all.empty()) {
        return;
    }
    const auto highest = std::ranges::max_element(all, {}, [&](const query::CounterSeries& one) {
        return state.trace()->counters()[one.highest].value;
    });
    addEntry(menu, "goToPeak", QObject::tr("&Go to the peak"),
             [&state, what = session::Selection(session::SelectedSample{highest->highest})] {
                 state.setSelection(what);
                 state.reveal(what);
             });
}

void TimelineMenus::fillMoves(QMenu& menu, std::size_t row) const {
    const MenuTarget& timeline = m_timeline;
    for (const bool up : {true, false}) {
        const auto before = placeBeside(timeline.rows(), row, up);
        QAction* action = addEntry(menu, up ? "moveUp" : "moveDown",
                                   up ? QObject::tr("Move &up") : QObject::tr("Move dow&n"),
                                   [&timeline, key = timeline.rows().rows()[row].key, before] {
                                       timeline.moveRow(key, *before);
                                   });
        action->setEnabled(before.has_value());
    }
}

void TimelineMenus::fillRows(QMenu& menu) const {
    const MenuTarget& timeline = m_timeline;
    addEntry(
        menu, "filterRows", QObject::tr("Filter &rows by name…"),
        [&timeline] { timeline.startRowFilter(); }, QStringLiteral("/"));
    const session::RowChoices& rows = timeline.rows().choices();
    const auto hidden = timeline.rows().hiddenLabels();
    if (!hidden.empty()) {
        addEntry(
            menu, "showHidden", QObject::tr("&Show hidden rows (%1)").arg(hidden.size()),
            [&timeline] {
                timeline.changeRows([](session::RowChoices& choices) { choices.hidden.clear(); });
            });
    }
    if (!rows.order.empty() || !rows.pinned.empty()) {
        addEntry(menu, "usualOrder", QObject::tr("Rows in their usual &order"), [&timeline] {
            timeline.changeRows([](session::RowChoices& choices) {
                choices.order.clear();
                choices.pinned.clear();
            });
        });
    }
}

}  // namespace kinetoscope::timeline
