// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/findings/FindingView.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/GoTo.h"
#include "widgets/style/Breakable.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

using models::Field;
using Row = std::uint32_t;

constexpr int kValueWidth = 640;
constexpr int kWindowWidth = 120;
constexpr int kEventNameWidth = 260;
constexpr int kMinValueWidth = 180;
constexpr int kFindingViewMinNameWidth = 90;
constexpr int kLeastLines = 3;      // of words
constexpr int kMostLines = 8;       // of a value
constexpr int kFindingPadding = 7;  // of a cell, on each side

QString shown(const std::string& text) {
    return style::shownText(text);
}

QToolButton* makeButton(const char* name, const char* icon, const QString& text,
                        const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(QString::fromLatin1(name));
    button->setIcon(style::themedIcon(QString::fromLatin1(icon)));
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    return button;
}

QLabel* makeWords(const char* name) {
    auto* words = new QLabel;
    words->setObjectName(QString::fromLatin1(name));
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return words;
}

/// As high as its words are, or lower with a scroll bar where a panel has no room for all of them.
class WordsArea final : public QScrollArea {
public:
    explicit WordsArea(QLabel* words) {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        viewport()->setAutoFillBackground(false);
        words->setAutoFillBackground(false);
        words->setAlignment(Qt::AlignTop);
        setWidget(words);
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {width(), widget()->heightForWidth(qMax(1, viewport()->width()))};
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {0, qMin(sizeHint().height(), kLeastLines * fontMetrics().height())};
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QScrollArea::resizeEvent(event);
        updateGeometry();
    }
};

}  // namespace

FindingView::FindingView(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_session(context.session),
      m_view(context.view),
      m_finder(session::AdviceFinder::of(context.view)),
      m_emphasiser(context.view),
      m_evidence(evidenceFields(), 0),
      m_events(eventFields(), 0),
      m_title(makeWords("findingTitle")),
      m_words(makeWords("findingWords")),
      m_show(makeButton("show", "jump", tr("Show"),
                        tr("Go to the longest event and highlight all of them"))),
      m_bench(makeButton("benchFinding", "operator-bench", tr("Bench"),
                         tr("Measure the operator again with the same inputs"))),
      m_compare(makeButton("compareFinding", "compare", tr("Compare"),
                           tr("Compare this run with one after a change"))),
      m_explain(makeButton("explain", "path", tr("Explain"),
                           tr("Show the critical path of its step, with this as a what-if"))),
      m_evidenceTable(new DataTable(m_evidence)),
      m_eventTable(new DataTable(m_events)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 0, 0);
    layout->setSpacing(4);
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    for (QLabel* words : {m_title, m_words}) {
        words->setContentsMargins(0, 0, 8, 0);
    }
    layout->addWidget(m_title);
    m_wordsArea = new WordsArea(m_words);
    layout->addWidget(m_wordsArea);
    layout->addWidget(makeButtons());
    auto* tables = new QTabWidget;
    tables->setObjectName(QStringLiteral("findingTables"));
    tables->setDocumentMode(true);
    tables->addTab(m_evidenceTable, tr("What it rests on"));
    tables->addTab(m_eventTable, tr("Events"));
    layout->addWidget(tables, 1);
    m_evidenceTable->setObjectName(QStringLiteral("evidence"));
    m_evidenceTable->setWidest(1, kValueWidth);
    m_evidenceTable->setWidest(2, kWindowWidth);
    m_evidenceTable->setYielding(1, kMinValueWidth);
    m_eventTable->setObjectName(QStringLiteral("findingEvents"));
    m_eventTable->setWidest(0, kEventNameWidth);
    m_eventTable->setYielding(0, kFindingViewMinNameWidth);
    connect(m_eventTable, &QTableView::clicked, this, &FindingView::goToEvent);
    connect(&m_evidence, &QAbstractItemModel::modelReset, this, &FindingView::growEvidence);
    connect(m_evidenceTable->horizontalHeader(), &QHeaderView::sectionResized, this,
            &FindingView::growEvidence);
    setFinding(nullptr, std::nullopt);
}

QWidget* FindingView::makeButtons() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QToolButton* button : {m_show, m_explain, m_bench, m_compare}) {
        layout->addWidget(button);
    }
    layout->addStretch(1);
    connect(m_show, &QToolButton::clicked, this, &FindingView::show);
    connect(m_bench, &QToolButton::clicked, this, [this] { m_view.askForBench(benchable()); });
    connect(m_compare, &QToolButton::clicked, this, [this] {
        m_session.compare().suggestRoles();
        m_view.askForPanel(QStringLiteral("runs"));
    });
    connect(m_explain, &QToolButton::clicked, this, [this] {
        if (m_row) {
            m_finder.explain(*m_row);
            m_view.askForPanel(QStringLiteral("path"));
        }
    });
    return row;
}

const advise::Finding* FindingView::finding() const {
    return m_advice && m_row ? &m_advice->advice.findings[*m_row] : nullptr;
}

void FindingView::setFinding(std::shared_ptr<const session::ShownAdvice> advice,
                             std::optional<std::size_t> row) {
    m_emphasiser.end();
    m_advice = std::move(advice);
    m_row = row;
    const advise::Finding* one = finding();
    m_title->setText(one != nullptr ? shown(one->title) : QString());
    QString words;
    if (one != nullptr && !one->abstained.empty()) {
        words = tr("Not checked: %1").arg(shown(one->abstained));
    } else if (one != nullptr) {
        words = shown(one->todo) + QLatin1Char('\n') + tr("What if: %1").arg(shown(one->whatIf));
    }
    m_words->setText(words);
    m_wordsArea->updateGeometry();
    m_evidence.setFields(evidenceFields(), one != nullptr ? one->evidence.size() : 0);
    m_events.setFields(eventFields(), one != nullptr ? one->events.size() : 0);
    m_evidenceTable->setEmptyText(one == nullptr ? tr("Choose a finding to see its evidence.")
                                                 : QString());
    m_eventTable->setEmptyText(one == nullptr ? QString()
                                              : tr("It does not refer to single events."));
    tellButtons();
}

// A value may be a sentence: its row takes as many lines as that needs.
void FindingView::growEvidence() {
    constexpr int kValue = 1;
    const QFontMetrics metrics = m_evidenceTable->fontMetrics();
    const QRect room(0, 0, m_evidenceTable->columnWidth(kValue) - 2 * kFindingPadding,
                     kMostLines * metrics.height());
    for (int row = 0; row < m_evidence.rowCount(); ++row) {
        const QString text = m_evidence.index(row, kValue).data().toString();
        const int height =
            metrics.boundingRect(room, Qt::TextWordWrap, style::breakable(text)).height();
        m_evidenceTable->setRowHeight(row, std::min(height, room.height()) + kFindingPadding);
    }
}

void FindingView::tellButtons() {
    const advise::Finding* one = finding();
    m_show->setEnabled(one != nullptr && !one->events.empty());
    m_explain->setEnabled(one != nullptr && !one->changes.empty());
    m_compare->setEnabled(one != nullptr);
    m_bench->setEnabled(benchable() != trace::kNoSlice);
}

trace::SliceId FindingView::benchable() const {
    const advise::Finding* one = finding();
    if (one != nullptr && m_advice->trace == m_view.trace()) {
        for (const advise::FindingEvent& event : one->events) {
            if (m_view.isBenchable(event.slice)) {
                return event.slice;
            }
        }
    }
    return trace::kNoSlice;
}

std::vector<Field> FindingView::evidenceFields() const {
    const auto field = [this](const char* key, const QString& title, const QString& tip,
                              std::string advise::Evidence::*text) {
        Field made = models::textField(key, title, tip, [this, text](Row row) {
            return models::toText(finding()->evidence[row].*text);
        });
        made.extra = [this](Row row, int role) -> QVariant {
            const advise::Evidence& one = finding()->evidence[row];
            const QString words =
                shown(one.value) + QLatin1Char('\n') + shown(one.definition) + QLatin1Char('\n') +
                (one.window.empty() ? QString() : tr("Measured over: %1").arg(shown(one.window)));
            return role == Qt::ToolTipRole ? QVariant(words.trimmed()) : QVariant();
        };
        return made;
    };
    return {field("figure", tr("Figure"), tr("Evidence for the finding"), &advise::Evidence::label),
            field("value", tr("Value"), tr("With its unit"), &advise::Evidence::value),
            field("window", tr("Measured over"), tr("Time the figure was measured over"),
                  &advise::Evidence::window)};
}

std::vector<Field> FindingView::eventFields() const {
    const auto span = [this](Row row) { return finding()->events[row].span; };
    const auto time = [](const char* key, const QString& title, const QString& tip, auto ns) {
        return Field{
            models::fieldColumn(key, title, tip, false),
            [ns](Row row) { return models::toText(text::inUnit(ns(row), text::kMilliseconds)); },
            [ns](Row row) { return static_cast<double>(ns(row)); }};
    };
    return {
        models::textField("event", tr("Event"), tr("Longest first; click to go there"),
                          [this](Row row) { return models::toText(finding()->events[row].name); }),
        time("start_ns", tr("At ms"), tr("Since the first event of the trace"),
             [this, span](Row row) { return span(row).start - m_advice->trace->extent().start; }),
        time("duration_ns", tr("Length ms"), tr("How long it took"),
             [span](Row row) { return span(row).duration(); })};
}

void FindingView::show() {
    const advise::Finding* one = finding();
    if (one == nullptr || one->events.empty() || m_advice->trace != m_view.trace()) {
        return;
    }
    m_emphasiser.emphasise(
        [advice = m_advice, row = *m_row](const trace::Trace&, const std::stop_token&) {
            session::Emphasiser::Slices slices;
            for (const advise::FindingEvent& event : advice->advice.findings[row].events) {
                if (event.slice != trace::kNoSlice) {
                    slices.push_back(event.slice);
                }
            }
            return slices;
        });
    goToEvent(m_events.index(m_events.shownRow(0), 0));
}

void FindingView::goToEvent(const QModelIndex& index) {
    const advise::Finding* one = finding();
    if (!index.isValid() || one == nullptr || m_advice->trace != m_view.trace()) {
        return;
    }
    const advise::FindingEvent& event = one->events[m_events.sourceRow(index.row())];
    goTo(m_view, event.span, event.slice);
    // Where nothing was recorded the time itself is what there is to see.
    if (event.slice == trace::kNoSlice) {
        m_view.selectRange(event.span);
    }
}

}  // namespace kinetoscope::panels
