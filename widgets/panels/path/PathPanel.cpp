// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/path/PathPanel.h"

#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/GoTo.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/panels/path/WhatIfList.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

using models::Field;
using models::fieldColumn;
using models::toText;
using Row = std::uint32_t;

constexpr int kPathTableWidth = 520;
constexpr int kWhatIfWidth = 390;
constexpr int kPathNameWidth = 320;
constexpr int kPathMinNameWidth = 180;
constexpr std::size_t kPathMaxRows = 100'000;

}  // namespace

PathPanel::PathPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_paths(session::PathFinder::of(context.view)),
      m_model(fields(), 0),
      m_bar(new PartBar),
      m_table(new DataTable(m_model)),
      m_step(new QComboBox),
      m_by(new QComboBox),
      m_drawn(new QCheckBox(tr("Line in the timeline"))),
      m_state(new QLabel),
      m_filter(new QLineEdit) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_bar);
    QSplitter* panes = sideBySide({m_table, kPathTableWidth},
                                  {new WhatIfList(m_paths), kWhatIfWidth}, GrowingPane::Right);
    panes->setStretchFactor(0, 1);  // both, so that in a small window both stay
    layout->addWidget(panes, 1);
    m_table->setObjectName(QStringLiteral("pathRows"));
    m_table->setWidest(0, kPathNameWidth);
    m_table->setYielding(0, kPathMinNameWidth);
    connect(m_table, &QTableView::clicked, this, &PathPanel::goTo);
    connect(m_bar, &PartBar::kindClicked, this, [this](path::PartKind kind) {
        m_kind = m_kind == kind ? std::nullopt : std::optional(kind);
        m_by->setCurrentIndex(static_cast<int>(path::PathBy::Part));
        fillRows();
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, &PathPanel::tellState);
    connect(&m_paths, &session::PathFinder::changed, this, &PathPanel::refresh);
    refresh();
}

QWidget* PathPanel::makeToolBar() {
    m_step->setObjectName(QStringLiteral("step"));
    m_step->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_step->setToolTip(tr("The step whose critical path is shown"));
    m_by->setObjectName(QStringLiteral("by"));
    m_by->addItems({tr("Part"), tr("Kernel"), tr("Operator"), tr("Module"), tr("Gap")});
    m_by->setToolTip(tr("What a row is"));
    m_drawn->setObjectName(QStringLiteral("drawn"));
    m_drawn->setChecked(true);
    m_drawn->setToolTip(tr("Draw the path as a line through the timeline's rows"));
    m_state->setObjectName(QStringLiteral("state"));
    QWidget* bar = makeTableBar({.choices = {titleOf(m_step, tr("Step")), m_step,
                                             titleOf(m_by, tr("Rows by")), m_by, m_drawn},
                                 .state = m_state,
                                 .filter = m_filter,
                                 .hint = tr("Filter by name")},
                                this);
    connect(m_step, &QComboBox::currentIndexChanged, this, [this](int row) {
        if (row >= 0) {
            m_paths.chooseStep(static_cast<std::size_t>(row));
        }
    });
    connect(m_by, &QComboBox::currentIndexChanged, this, [this](int by) {
        if (by != static_cast<int>(path::PathBy::Part)) {
            m_kind.reset();
        }
        fillRows();
    });
    connect(m_drawn, &QCheckBox::toggled, &m_paths, &session::PathFinder::setDrawn);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model.setFilter(text);
        tellState();
    });
    return bar;
}

void PathPanel::refresh() {
    fillSteps();
    m_bar->setPath(m_paths.shown());
    fillRows();
}

void PathPanel::fillSteps() {
    const QSignalBlocker quiet(m_step);
    if (m_stepsOf != m_paths.graph()) {
        m_stepsOf = m_paths.graph();
        m_kind.reset();
        m_step->clear();
        for (const path::GraphStep& step :
             m_stepsOf ? m_stepsOf->steps : std::vector<path::GraphStep>()) {
            m_step->addItem(QStringLiteral("%1 · %2").arg(
                QString::number(step.number), toText(text::formatDuration(step.span.duration()))));
        }
    }
    m_step->setCurrentIndex(m_step->count() > 0 ? static_cast<int>(m_paths.step()) : -1);
    m_step->setEnabled(m_step->count() > 1);
}

void PathPanel::fillRows() {
    m_rows.clear();
    if (const auto& shown = m_paths.shown()) {
        for (const path::Part& part :
             shown->found->rows[static_cast<std::size_t>(m_by->currentIndex())]) {
            if ((!m_kind || part.kind == *m_kind) && m_rows.size() < kPathMaxRows) {
                m_rows.push_back(part);
            }
        }
    }
    m_model.setFields(fields(), m_rows.size());
    tellState();
}

std::vector<Field> PathPanel::fields() const {
    const auto whole = [this] {
        const auto& shown = m_paths.shown();
        return shown ? static_cast<double>(shown->found->path.span.duration()) : 0.0;
    };
    Field name = models::textField("name", tr("Name"), tr("What took the time"), [this](Row row) {
        const bool isKernel = m_by->currentIndex() == static_cast<int>(path::PathBy::Kernel);
        const std::string& full = m_rows[row].name;
        return style::shownText(isKernel ? text::shortKernelName(full) : full);
    });
    name.extra = [this](Row row, int role) -> QVariant {
        return role == Qt::ToolTipRole
                   ? QVariant(style::shownText(m_rows[row].name, style::kMaxToolTipLetters))
                   : QVariant();
    };
    Field kind =
        models::textField("kind", tr("Kind"), tr("Kind of path segment, of the longest one"),
                          [this](Row row) { return partKindTitle(m_rows[row].kind); });
    const auto time = [this](Row row) { return static_cast<double>(m_rows[row].ns); };
    Field share{fieldColumn("percent", tr("Of the step"),
                            tr("Share of the step's length; all parts add up to 100 %"), false),
                [time, whole](Row row) { return toText(text::formatPercent(time(row), whole())); },
                [time, whole](Row row) { return whole() > 0 ? time(row) / whole() : 0.0; }};
    share.extra = [time, whole](Row row, int role) -> QVariant {
        return role == models::ShareRole && whole() > 0 ? QVariant(time(row) / whole())
                                                        : QVariant();
    };
    return {
        std::move(name), std::move(kind),
        Field{fieldColumn("time_ns", tr("Time ms"), tr("On the path"), false),
              [time](Row row) { return toText(text::inUnit(time(row), text::kMilliseconds)); },
              time},
        std::move(share),
        models::countField("stretches", tr("Stretches"), tr("Number of times the path passes here"),
                           [this](Row row) { return static_cast<double>(m_rows[row].count); })};
}

void PathPanel::tellState() {
    const auto& shown = m_paths.shown();
    QString text;
    QString empty = tr("Open a trace to see what each of its steps waited for.");
    if (m_paths.busy()) {
        text = tr("following dependencies…");
        empty.clear();
    } else if (!m_paths.error().isEmpty()) {
        empty = m_paths.error();
    } else if (shown) {
        text = tr("%1; %2 of the path is inferred")
                   .arg(toText(text::formatDuration(shown->found->path.span.duration())),
                        toText(text::formatPercent(
                            static_cast<double>(shown->found->path.inferredNs),
                            static_cast<double>(shown->found->path.span.duration()))));
        empty = m_by->currentIndex() == static_cast<int>(path::PathBy::Kernel) &&
                        m_filter->text().isEmpty()
                    ? tr("There is no GPU operation on the path.")
                    : tr("No row matches the filter.");
    } else if (m_paths.graph()) {
        empty = tr("The trace has no steps and no GPU work with a recorded launch.");
    }
    m_state->setText(text);
    QString tip;
    if (shown) {
        tip = tr("The rest is recorded in the trace. Waits for GPU work: the reason is recorded "
                 "for %1, inferred for %2 and unknown for %3.")
                  .arg(QString::number(shown->graph->toldWaits),
                       QString::number(shown->graph->inferredWaits),
                       QString::number(shown->graph->unknownWaits));
        if (shown->graph->sharedOperations > 0) {
            tip += tr(" Steps of one process overlap: %1 GPU operations count for several.")
                       .arg(QString::number(shown->graph->sharedOperations));
        }
    }
    m_state->setToolTip(style::plainToolTip(tip));
    m_table->setEmptyText(empty);
}

// To the longest stretch of the row.
void PathPanel::goTo(const QModelIndex& index) {
    const auto& shown = m_paths.shown();
    if (!index.isValid() || !shown || shown->trace != m_view.trace()) {
        return;
    }
    const path::Part& part = m_rows[m_model.sourceRow(index.row())];
    panels::goTo(m_view, shown->found->path.pieces[part.piece].span, part.slice);
}

}  // namespace kinetoscope::panels
