// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/findings/FindingsPanel.h"

#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "core/advise/Advise.h"
#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

using models::Field;
using models::fieldColumn;
using models::toText;
using Row = std::uint32_t;

enum Column { Try, Title };

constexpr int kListWidth = 540;
constexpr int kViewWidth = 720;
constexpr int kTitleWidth = 520;
constexpr int kMinTitleWidth = 180;

bool isJudged(const advise::Finding& finding) {
    return finding.abstained.empty();
}

// What other ranks do cannot be replayed in this trace.
bool isTriable(const advise::Finding& finding) {
    return !finding.changes.empty();
}

QString percentOf(TimeNs part, TimeNs whole) {
    return toText(text::formatPercent(static_cast<double>(part), static_cast<double>(whole)));
}

QLabel* makeLine(const char* name) {
    auto* line = new QLabel;
    line->setObjectName(QString::fromLatin1(name));
    line->setTextFormat(Qt::PlainText);
    line->setWordWrap(true);
    line->setContentsMargins(8, 4, 8, 4);
    return line;
}

}  // namespace

FindingsPanel::FindingsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_finder(session::AdviceFinder::of(context.view)),
      m_model(fields(), 0),
      m_table(new DataTable(m_model)),
      m_chosen(new FindingView(context)),
      m_saving(makeLine("saving")),
      m_nothing(makeLine("nothing")),
      m_state(new QLabel),
      m_filter(new QLineEdit) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_state->setObjectName(QStringLiteral("state"));
    layout->addWidget(makeTableBar(
        {.choices = {}, .state = m_state, .filter = m_filter, .hint = tr("Filter findings")},
        this));
    layout->addWidget(
        sideBySide({makeList(), kListWidth}, {m_chosen, kViewWidth}, GrowingPane::Right), 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model.setFilter(text);
        tellState();
    });
    connect(&m_finder, &session::AdviceFinder::changed, this, &FindingsPanel::refresh);
    connect(&m_finder, &session::AdviceFinder::savingChanged, this, &FindingsPanel::tellSaving);
    refresh();
}

QWidget* FindingsPanel::makeList() {
    auto* list = new QWidget;
    auto* layout = new QVBoxLayout(list);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_saving);
    layout->addWidget(m_nothing);
    m_nothing->setForegroundRole(QPalette::PlaceholderText);
    m_table->setObjectName(QStringLiteral("findings"));
    m_table->setWidest(Title, kTitleWidth);
    m_table->setYielding(Title, kMinTitleWidth);
    m_table->setLines(2);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWhatsThis(
        tr("What would make the steps shorter, and by how much at most. Tick findings (click or "
           "Space) to try them together; the right side shows the evidence of the chosen one."));
    m_table->installEventFilter(this);
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == Try) {
            toggle(m_model.sourceRow(index.row()));
        }
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &FindingsPanel::choose);
    return list;
}

bool FindingsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space &&
        m_table->currentIndex().isValid()) {
        toggle(m_model.sourceRow(m_table->currentIndex().row()));
        return true;
    }
    return Panel::eventFilter(watched, event);
}

const advise::Finding& FindingsPanel::finding(Row row) const {
    return m_shown->advice.findings[row];
}

void FindingsPanel::refresh() {
    if (m_shown != m_finder.shown() || !m_shown) {
        m_shown = m_finder.shown();
        m_ticked.clear();
        if (m_shown) {
            std::ranges::transform(m_shown->advice.findings, std::back_inserter(m_ticked),
                                   isTriable);
        }
        m_model.setFields(fields(), m_ticked.size());
        if (m_model.rowCount() > 0) {
            m_table->selectRow(0);
        }
        choose();
        combine();
    }
    tellState();
    tellNothing();
    tellSaving();
}

void FindingsPanel::choose() {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    m_chosen->setFinding(m_shown,
                         rows.isEmpty() || !m_shown
                             ? std::nullopt
                             : std::optional<std::size_t>(m_model.sourceRow(rows.front().row())));
}

void FindingsPanel::toggle(Row row) {
    if (isTriable(finding(row))) {
        m_ticked[row] = !m_ticked[row];
        m_model.tellChanged(row);
        combine();
    }
}

void FindingsPanel::combine() {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < m_ticked.size(); ++row) {
        if (m_ticked[row]) {
            rows.push_back(row);
        }
    }
    m_finder.combine(std::move(rows));
}

std::vector<Field> FindingsPanel::fields() const {
    Field tick =
        models::textField("try", QString(), tr("Try together with the other ticked findings"),
                          [](Row) { return QString(); });
    tick.extra = [this](Row row, int role) -> QVariant {
        return role == Qt::CheckStateRole && isTriable(finding(row))
                   ? QVariant(m_ticked[row] ? Qt::Checked : Qt::Unchecked)
                   : QVariant();
    };
    Field title = models::textField(
        "finding", tr("Finding"), tr("Where time could be saved"), [this](Row row) {
            const advise::Finding& one = finding(row);
            return isJudged(one)
                       ? toText(one.title)
                       : tr("%1: not checked, %2").arg(toText(one.title), toText(one.abstained));
        });
    title.extra = [this](Row row, int role) -> QVariant {
        const advise::Finding& one = finding(row);
        if (role == Qt::ToolTipRole) {
            return style::shownText(one.title + '\n' + (isJudged(one) ? one.todo : one.abstained),
                                    style::kMaxToolTipLetters);
        }
        return role == models::ToneRole && !isJudged(one)
                   ? QVariant(static_cast<int>(models::CellTone::Muted))
                   : QVariant();
    };
    const auto saves = [this](Row row) {
        return isJudged(finding(row)) ? static_cast<double>(finding(row).saving.ns)
                                      : std::numeric_limits<double>::quiet_NaN();
    };
    const auto share = [this, saves](Row row) {
        return saves(row) / static_cast<double>(std::max<TimeNs>(1, finding(row).saving.stepNs));
    };
    Field part{fieldColumn("percent", tr("Of the step"),
                           tr("Share of the mean length of the steps it shortens"), false),
               [this](Row row) {
                   const advise::Saving& saving = finding(row).saving;
                   return isJudged(finding(row)) ? percentOf(saving.ns, saving.stepNs) : QString();
               },
               share};
    part.extra = [this, share](Row row, int role) -> QVariant {
        return role == models::ShareRole && isJudged(finding(row)) ? QVariant(share(row))
                                                                   : QVariant();
    };
    return {
        std::move(tick), std::move(title),
        Field{fieldColumn(
                  "saves_ns", tr("Saves ms"),
                  tr("Most it can save in each step that it shortens, by replay; savings overlap "
                     "and do not add up"),
                  false),
              [this, saves](Row row) {
                  return isJudged(finding(row))
                             ? toText(text::inUnit(saves(row), text::kMilliseconds))
                             : QString();
              },
              saves},
        std::move(part),
        models::countField(
            "steps", tr("Steps"), tr("Number of steps it shortens"), [this](Row row) {
                return isJudged(finding(row)) ? static_cast<double>(finding(row).saving.steps)
                                              : std::numeric_limits<double>::quiet_NaN();
            })};
}

void FindingsPanel::tellState() {
    QString text;
    QString empty = tr("Open a trace to see what would make its steps shorter.");
    if (m_finder.shown() == nullptr && m_finder.busy()) {
        text = tr("finding…");
        empty.clear();
    } else if (!m_finder.error().isEmpty()) {
        empty = m_finder.error();
    } else if (m_shown) {
        const advise::Advice& advice = m_shown->advice;
        const auto judged = std::ranges::count_if(advice.findings, isJudged);
        const QString length = toText(text::formatDuration(advice.stepNs));
        text = judged == 1 ? tr("1 finding") : tr("%1 findings").arg(judged);
        text += QStringLiteral("; ");
        if (!advice.hasSteps) {
            text += tr("no steps; the whole trace counts as one of %1").arg(length);
        } else {
            text +=
                advice.steps == 1
                    ? tr("1 step of %1").arg(length)
                    : tr("%1 steps of %2 on average").arg(QString::number(advice.steps), length);
        }
        empty = m_filter->text().isEmpty() ? tr("No rule found a way to save time.")
                                           : tr("No row matches the filter.");
    }
    m_state->setText(text);
    m_table->setEmptyText(empty);
}

void FindingsPanel::tellNothing() {
    int count = 0;
    QString tip;
    for (const advise::RuleFacts& rule : advise::rules()) {
        if (m_shown &&
            std::ranges::find(m_shown->advice.nothing, rule.id) != m_shown->advice.nothing.end()) {
            ++count;
            tip += toText(rule.title) + QStringLiteral(": ") + toText(rule.definition) +
                   QLatin1Char('\n');
        }
    }
    m_nothing->setText(count == 1 ? tr("1 rule found nothing")
                                  : tr("%1 rules found nothing").arg(count));
    m_nothing->setToolTip(style::plainToolTip(tip.trimmed()));
    m_nothing->setVisible(count > 0);
}

void FindingsPanel::tellSaving() {
    QString text;
    if (m_finder.isReplaying()) {
        text = tr("replaying the ticked findings…");
    } else if (const auto& saving = m_finder.saving(); saving && saving->steps == 0) {
        text = tr("Together, the ticked findings save nothing.");
    } else if (saving) {
        const bool hasSteps = !m_shown || m_shown->advice.hasSteps;
        const TimeNs stepNs = m_shown ? m_shown->advice.stepNs : saving->stepNs;
        const QString ns = toText(text::formatDuration(saving->meanNs()));
        const QString whole = toText(text::formatDuration(stepNs));
        const QString share = percentOf(saving->meanNs(), stepNs);
        text = hasSteps ? tr("Together, the ticked findings save at most %1 of %2 per step (%3) on "
                             "average, in %4 of %5 steps")
                              .arg(ns, whole, share, QString::number(saving->steps),
                                   QString::number(saving->ofSteps))
                        : tr("Together, the ticked findings save at most %1 of the trace's %2 (%3)")
                              .arg(ns, whole, share);
    } else if (m_shown && std::ranges::any_of(m_shown->advice.findings, isTriable)) {
        text = tr("Tick findings to see what they save together; individual savings overlap.");
    }
    m_saving->setText(text);
    m_saving->setVisible(!text.isEmpty());
}

}  // namespace kinetoscope::panels
