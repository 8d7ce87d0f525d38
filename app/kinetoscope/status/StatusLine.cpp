// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/status/StatusLine.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::app {

namespace {

constexpr int kFieldGap = 14;
// Below these widths a field is left out: the window keeps room for what is selected.
constexpr int kWidthForRows = 1120;
constexpr int kWidthForBusy = 900;
constexpr int kWidthForChip = 700;

QString durationText(double ns) {
    constexpr double kLongest = 9e18;
    return models::withMinus(QString::fromStdString(
        text::formatDuration(std::llround(std::clamp(ns, -kLongest, kLongest)))));
}

QString countText(std::uint64_t count) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(count)));
}

QString percentText(double part, double whole) {
    return whole > 0.0 ? QString::number(100.0 * part / whole, 'f', 1) : QStringLiteral("0.0");
}

/// The step that holds the whole span; null: none does.
const analysis::Step* stepAround(const std::vector<analysis::Step>& steps, TimeSpan span) {
    const auto after = std::ranges::upper_bound(
        steps, span.start, {}, [](const analysis::Step& step) { return step.span.start; });
    if (after == steps.begin()) {
        return nullptr;
    }
    const analysis::Step& step = *std::prev(after);
    return span.end <= step.span.end ? &step : nullptr;
}

}  // namespace

StatusLine::StatusLine(session::Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_contents(new style::ElidedLabel({}, Qt::AlignLeft, this)),
      m_selection(new style::ElidedLabel({}, Qt::AlignLeft, this)),
      m_figures(new QLabel(this)),
      m_chipPlace(new QWidget(this)) {
    setObjectName(QStringLiteral("statusLine"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kFieldGap);
    row->setSizeConstraint(QLayout::SetNoConstraint);
    row->addWidget(m_contents);
    row->addWidget(m_selection);
    row->addWidget(m_figures);
    row->addStretch(1);
    row->addWidget(m_chipPlace);
    m_contents->setObjectName(QStringLiteral("contents"));
    m_contents->setForegroundRole(QPalette::PlaceholderText);
    m_selection->setObjectName(QStringLiteral("selection"));
    m_figures->setObjectName(QStringLiteral("selectionFigures"));
    m_figures->setTextFormat(Qt::PlainText);
    auto* place = new QHBoxLayout(m_chipPlace);
    place->setContentsMargins(0, 0, 0, 0);
    place->addStretch(1);
    auto* chip = new timeline::SelectionChip(session.view(), m_chipPlace);
    place->addWidget(chip);
    m_chipPlace->setMinimumHeight(chip->sizeHint().height());  // even if there is none
    m_busy = addField("rangeBusy");
    m_rows = addField("selectedRows");
    m_hits = addField("hits");
    m_visible = addField("visible");
    setWidths();
    for (session::ViewState* view :
         {&session.view(), &session.compare().baseView(), &session.compare().candidateView()}) {
        connectView(*view);
    }
    const auto tellAll = [this] {
        tellView();
        tellSelection();
        tellRange();
    };
    connect(&session, &session::Session::viewInUseChanged, this, tellAll);
    connect(&session.compare(), &session::CompareState::shownChanged, this, tellAll);
    connect(&session.reports(), &session::ReportRunner::reportChanged, this,
            &StatusLine::tellSelection);
    connect(&session.find(), &session::FindState::changed, this, &StatusLine::tellHits);
    tellAll();
    tellHits();
}

QLabel* StatusLine::addField(const char* name) {
    auto* field = new QLabel(this);
    field->setObjectName(QString::fromLatin1(name));
    field->setTextFormat(Qt::PlainText);
    field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    field->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout()->addWidget(field);
    return field;
}

// Wide enough for what is usual, so that nothing moves; longer texts take more.
void StatusLine::setWidths() {
    const auto widthOf = [this](const QString& widest) {
        return fontMetrics().horizontalAdvance(widest) + 2;
    };
    m_busy->setMinimumWidth(widthOf(tr("GPUs 100.0 % busy")));
    m_rows->setMinimumWidth(
        widthOf(tr("88,888 rows: %1, mean %1").arg(durationText(-888'888'888.0))));
    m_hits->setMinimumWidth(widthOf(tr("%1 hits").arg(countText(8'888'888))));
    m_visible->setMinimumWidth(widthOf(tr("%1 in view").arg(durationText(888'888'888.0))));
    m_chipPlace->setFixedWidth(widthOf(tr("step 8888, %1 selected").arg(durationText(888'888.0))));
}

void StatusLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        setWidths();
    }
    QWidget::changeEvent(event);
}

void StatusLine::resizeEvent(QResizeEvent*) {
    showFields();
}

// They are about a trace; what is said of a job has all the room.
void StatusLine::showFields() {
    const int room = m_job.isEmpty() ? width() : 0;
    m_rows->setVisible(room >= kWidthForRows);
    m_hits->setVisible(room >= kWidthForRows);
    m_busy->setVisible(room >= kWidthForBusy);
    m_chipPlace->setVisible(room >= kWidthForChip);
    m_visible->setVisible(m_job.isEmpty());
}

QSize StatusLine::minimumSizeHint() const {
    return {200, sizeHint().height()};
}

void StatusLine::connectView(session::ViewState& view) {
    using session::ViewState;
    for (const auto signal :
         {&ViewState::visibleChanged, &ViewState::traceChanged, &ViewState::traceGrown}) {
        connect(&view, signal, this, &StatusLine::tellView);
    }
    for (const auto signal : {&ViewState::selectionChanged, &ViewState::traceChanged,
                              &ViewState::rangeChanged, &ViewState::windowChanged}) {
        connect(&view, signal, this, &StatusLine::tellSelection);
        connect(&view, signal, this, &StatusLine::tellRange);
    }
}

void StatusLine::tellJob(const QString& summary) {
    m_job = summary;
    showFields();
    tellSelection();
    tellRange();
}

void StatusLine::tellView() {
    const session::ViewState& view = m_session.viewInUse();
    const auto& trace = view.trace();
    if (!trace || !m_job.isEmpty()) {
        m_contents->setText(m_job);
        m_contents->setVisible(!m_job.isEmpty());
        m_visible->clear();
        return;
    }
    const QString side = !m_session.isComparing()                   ? QString()
                         : &view == &m_session.compare().baseView() ? tr("Baseline: ")
                                                                    : tr("Candidate: ");
    const QString facts =
        tr("%1 slices, %2 GPU operations, %3")
            .arg(countText(trace->sliceCount()), countText(trace->gpuOperations().size()),
                 durationText(static_cast<double>(trace->extent().duration())));
    // The selection's figures replace those of the trace.
    const bool selected = !isNothing(view.selection());
    m_contents->setText(selected ? side : side + facts);
    m_contents->setMinimumWidth(selected ? m_contents->sizeHint().width() : 0);
    m_contents->setVisible(!m_contents->text().isEmpty());
    m_visible->setText(
        tr("%1 in view").arg(durationText(static_cast<double>(view.visibleOfTrace().duration()))));
}

void StatusLine::tellSelection() {
    const session::ViewState& view = m_session.viewInUse();
    const bool some = view.trace() && m_job.isEmpty() && !isNothing(view.selection());
    m_selection->setText(
        some ? style::shownText(session::selectionText(*view.trace(), view.selection()))
             : QString());
    m_figures->setText(some ? figuresOf(view) : QString());
    m_selection->setVisible(some);
    m_figures->setVisible(!m_figures->text().isEmpty());
    tellView();
}

const std::vector<analysis::Step>* StatusLine::stepsOf(const session::ViewState& view) const {
    if (m_session.isComparing()) {
        const session::ComparedPair* pair = m_session.compare().shown();
        if (pair == nullptr || !pair->run.base) {
            return nullptr;
        }
        return &view == &m_session.compare().baseView() ? &pair->run.base->report.steps
                                                        : &pair->run.candidate->report.steps;
    }
    const session::ReportRunner& reports = m_session.reports();
    return reports.report() && reports.traceOf() == view.trace() ? &reports.report()->steps
                                                                 : nullptr;
}

/// "12.000 µs, 3.1 % of step 5": of the selected time where there is one, of the step that holds
/// it, or of the trace.
QString StatusLine::figuresOf(const session::ViewState& view) const {
    const trace::SliceId slice = view.selected();
    if (slice == trace::kNoSlice) {
        return {};  // its text has them
    }
    const TimeSpan span = view.trace()->span(slice);
    const auto length = static_cast<double>(span.duration());
    const QString time = durationText(length);
    const auto of = [&](TimeSpan whole, const QString& name) {
        const TimeNs inside = whole.clip(span).duration();
        return tr("%1, %2 % of %3")
            .arg(time,
                 percentText(static_cast<double>(inside), static_cast<double>(whole.duration())),
                 name);
    };
    if (const auto range = view.selectedRange(); range && range->overlaps(span)) {
        return of(*range, tr("the selected time"));
    }
    if (const auto* steps = stepsOf(view)) {
        if (const analysis::Step* step = stepAround(*steps, span)) {
            return of(step->span, tr("step %1").arg(step->number));
        }
    }
    return of(view.trace()->extent(), tr("the trace"));
}

void StatusLine::tellRange() {
    const session::ViewState& view = m_session.viewInUse();
    const auto range = view.selectedRange();
    if (!m_job.isEmpty() || !range || range->empty() || !view.layout() ||
        view.layout()->strips.empty()) {
        m_busy->clear();
        m_busy->setToolTip({});
        return;
    }
    const auto length = static_cast<double>(range->duration());
    double busy = 0.0;
    QStringList each;
    const auto& gpus = view.layout()->strips;
    for (const session::GpuStrips& gpu : gpus) {
        const auto one = gpu.busy->busyIn(*range);
        busy += one / static_cast<double>(gpus.size());
        each.append(tr("%1: %2, %3 %")
                        .arg(models::toText(trace::gpuName(gpu.gpu)), durationText(one),
                             percentText(one, length)));
    }
    m_busy->setText((gpus.size() == 1 ? tr("GPU %1 % busy") : tr("GPUs %1 % busy"))
                        .arg(percentText(busy, length)));
    m_busy->setToolTip(
        style::plainToolTip(each.join(QLatin1Char('\n')), tr("Busy in the selected time")));
}

// No QPointer: clang-tidy takes its assignment for a use after free.
void StatusLine::follow(panels::DataTable& table) {
    const auto look = [this, &table](bool seen) {
        if (seen && table.selectionModel()->hasSelection()) {
            m_table = &table;
        } else if (m_table == &table) {
            m_table = nullptr;
        } else {
            return;
        }
        tellRows();
    };
    connect(&table, &panels::DataTable::selectedRowsChanged, this,
            [look, &table] { look(table.isVisible() && !table.visibleRegion().isEmpty()); });
    connect(&table, &QObject::destroyed, this, [look] { look(false); });
    // A tab before it hides no widget, it only covers its dock.
    for (QWidget* around = table.parentWidget(); around != nullptr;
         around = around->parentWidget()) {
        if (auto* dock = qobject_cast<QDockWidget*>(around)) {
            connect(dock, &QDockWidget::visibilityChanged, this, look);
        }
    }
}

void StatusLine::tellRows() {
    if (m_table == nullptr) {
        m_rows->clear();
        m_rows->setToolTip({});
        return;
    }
    const panels::DataTable::SelectedRows rows = m_table->selectedRows();
    const QString count = rows.count == 1 ? tr("1 row") : tr("%1 rows").arg(countText(rows.count));
    if (rows.column.isEmpty() || rows.figure.count == 0) {
        m_rows->setText(count);
        m_rows->setToolTip({});
        return;
    }
    const QString sum = durationText(rows.figure.sum);
    m_rows->setText(rows.count == 1
                        ? tr("%1: %2").arg(count, sum)
                        : tr("%1: %2, mean %3").arg(count, sum, durationText(rows.figure.mean())));
    m_rows->setToolTip(style::plainToolTip(
        tr("Selected in a table: sum and mean of %1").arg(style::shownText(rows.column))));
}

void StatusLine::tellHits() {
    const session::FindState& find = m_session.find();
    const bool some = find.result() && find.error().isEmpty() && !find.busy();
    if (!some) {
        m_hits->clear();
        m_hits->setToolTip({});
        return;
    }
    m_hits->setText(find.count() == 1 ? tr("1 hit") : tr("%1 hits").arg(countText(find.count())));
    const stats::DurationSummary& all = find.result()->durations;
    m_hits->setToolTip(
        find.count() == 0
            ? QString()
            : style::plainToolTip(
                  tr("Found: sum %1, mean %2")
                      .arg(durationText(static_cast<double>(all.total)), durationText(all.mean))));
}

}  // namespace kinetoscope::app
