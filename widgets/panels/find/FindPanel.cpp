// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/find/FindPanel.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

constexpr int kNameWidth = 420;
constexpr int kMinNameWidth = 140;
constexpr int kRowWidth = 260;
constexpr int kFieldWidth = 260;
constexpr int kMinFieldWidth = 140;
constexpr int kChoiceLetters = 11;
constexpr qsizetype kMaxChoiceLetters = 80;
constexpr std::size_t kMaxRowChoices = 500;
constexpr int kAll = -1;

QString number(std::uint64_t count) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(count)));
}

QString counted(std::string_view name, std::uint64_t count) {
    return QStringLiteral("%1 (%2)").arg(style::shownText(name, kMaxChoiceLetters), number(count));
}

/// The choice of a row: a track, or a process as a number below kAll.
int codeOfProcess(std::uint32_t process) {
    return -2 - static_cast<int>(process);
}

int codeOf(const session::FindFilter& filter) {
    return filter.track     ? static_cast<int>(*filter.track)
           : filter.process ? codeOfProcess(*filter.process)
                            : kAll;
}

}  // namespace

FindPanel::FindPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_find(context.session.find()),
      m_table(new DataTable(m_model)),
      m_text(new QLineEdit),
      m_category(new QComboBox),
      m_row(new QComboBox),
      m_time(new QComboBox),
      m_durations(new QToolButton),
      m_figures(new FigureLine) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_figures);
    layout->addWidget(m_table, 1);
    setFocusProxy(m_text);
    m_figures->setObjectName(QStringLiteral("figures"));
    m_table->setObjectName(QStringLiteral("hits"));
    m_table->setWidest(HitModel::Name, kNameWidth);
    m_table->setWidest(HitModel::Row, kRowWidth);
    m_table->setYielding(HitModel::Name, kMinNameWidth);
    connect(m_table, &QTableView::clicked, this, &FindPanel::goTo);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FindPanel::goTo);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &FindPanel::showChosen);
    connect(&m_model, &HitModel::busyChanged, this, &FindPanel::tellFigures);
    connect(&m_work, &LongWork::becameLong, this, &FindPanel::tellFigures);
    connect(&m_find, &session::FindState::changed, this, &FindPanel::refresh);
    connect(&m_find, &session::FindState::chosenChanged, this, &FindPanel::showChosen);
    connect(&m_find, &session::FindState::filterChanged, this, &FindPanel::tellFilter);
    connect(&m_find, &session::FindState::textChanged, this, [this] {
        if (m_text->text() != m_find.text()) {
            m_text->setText(m_find.text());
        }
    });
    m_text->setText(m_find.text());
    refresh();
}

QWidget* FindPanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    layout->addWidget(m_text, 2);
    for (QComboBox* choice : {m_category, m_row, m_time}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(kChoiceLetters);
        layout->addWidget(choice, 1);
        connect(choice, &QComboBox::activated, this, &FindPanel::filter);
    }
    layout->addWidget(m_durations);
    layout->addStretch(1);
    layout->addWidget(new timeline::SelectionChip(m_view, bar));
    m_text->setObjectName(QStringLiteral("text"));
    m_text->setPlaceholderText(tr("Find slices by name"));
    m_text->setToolTip(
        tr("Find slices by name; /…/ is a regular expression.\n"
           "Enter: next, Shift+Enter: previous, Escape: end the search"));
    m_text->setClearButtonEnabled(true);
    m_text->setMinimumWidth(kMinFieldWidth);
    m_text->setMaximumWidth(kFieldWidth);
    m_text->installEventFilter(this);
    connect(m_text, &QLineEdit::textChanged, &m_find, &session::FindState::setText);
    m_category->setObjectName(QStringLiteral("category"));
    m_category->setToolTip(tr("Only hits of this category"));
    m_row->setObjectName(QStringLiteral("row"));
    m_row->setToolTip(tr("Only hits of this process, thread or stream"));
    m_time->setObjectName(QStringLiteral("time"));
    m_time->addItems({tr("Whole trace"), tr("Selected time"), tr("Time in view")});
    m_time->setToolTip(
        tr("Selected time: hits that start in the window of the other panels.\n"
           "Time in view: hits that the timeline shows now."));
    m_durations->setObjectName(QStringLiteral("durations"));
    m_durations->setIcon(style::themedIcon(QStringLiteral("close")));
    m_durations->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_durations->setAutoRaise(true);
    m_durations->setToolTip(tr("Show hits of all durations"));
    connect(m_durations, &QToolButton::clicked, this, [this] {
        session::FindFilter filter = m_find.filter();
        filter.lasts.reset();
        m_find.setFilter(filter);
    });
    tellFilter();
    return bar;
}

void FindPanel::setInFront(bool inFront) {
    m_inFront = inFront;
    refresh();
}

// A million rows take a while to show, so a hidden panel does not.
void FindPanel::refresh() {
    if (!m_inFront) {
        return;
    }
    if (!m_find.busy() || !m_find.result()) {
        m_model.setResult(m_find.result(), m_view.layout());
        fillChoices();
    }
    tellFigures();
}

void FindPanel::fillChoices() {
    fillCategories();
    fillRows();
    tellFilter();
}

void FindPanel::fillCategories() {
    m_category->clear();
    m_category->addItem(tr("All categories"), kAll);
    const auto wanted = m_find.filter().category;
    if (!m_find.result()) {
        return;
    }
    const trace::Trace& trace = *m_find.result()->trace;
    bool isThere = !wanted;
    for (const auto& [category, count] : m_find.result()->counts.categories) {
        m_category->addItem(counted(trace.categoryText(category), count),
                            static_cast<int>(category));
        isThere = isThere || category == *wanted;
    }
    if (!isThere) {
        m_category->addItem(counted(trace.categoryText(*wanted), 0), static_cast<int>(*wanted));
    }
}

void FindPanel::fillRows() {
    m_row->clear();
    m_row->addItem(tr("All rows"), kAll);
    if (!m_find.result()) {
        return;
    }
    const query::LaneIndex& rows = m_view.layout()->lanes;
    const query::RowNames& names = m_view.layout()->names;
    auto counts = m_find.result()->counts.tracks;
    const session::FindFilter& filter = m_find.filter();
    if (filter.track &&
        std::ranges::none_of(counts, [&](const auto& one) { return one.first == *filter.track; })) {
        counts.emplace_back(*filter.track, 0);
    }
    std::map<std::uint32_t, std::uint64_t> processes;
    for (const auto& [track, count] : counts) {
        processes[rows.processOf(track)] += count;
    }
    if (filter.process) {
        processes.try_emplace(*filter.process, 0);
    }
    // Under each process its rows, most hits first.
    std::ranges::stable_sort(counts, std::greater<>(), [](const auto& one) { return one.second; });
    counts.resize(std::min(counts.size(), kMaxRowChoices));
    for (const auto& [process, all] : processes) {
        m_row->addItem(counted(names.process(process), all), codeOfProcess(process));
        for (const auto& [track, count] : counts) {
            if (rows.processOf(track) == process) {
                m_row->addItem(QStringLiteral("    ") + counted(names.track(track), count),
                               static_cast<int>(track));
            }
        }
    }
}

void FindPanel::tellFilter() {
    const session::FindFilter& filter = m_find.filter();
    m_category->setCurrentIndex(
        std::max(0, m_category->findData(filter.category ? int{*filter.category} : kAll)));
    m_row->setCurrentIndex(std::max(0, m_row->findData(codeOf(filter))));
    m_time->setCurrentIndex(static_cast<int>(filter.time));
    m_durations->setVisible(filter.lasts.has_value());
    if (filter.lasts) {
        const auto time = [](TimeNs ns) {
            return QString::fromStdString(text::formatDuration(ns));
        };
        m_durations->setText(
            tr("%1 to %2").arg(time(filter.lasts->start), time(filter.lasts->end)));
    }
}

void FindPanel::filter() {
    session::FindFilter filter = m_find.filter();
    const int category = m_category->currentData().toInt();
    const int row = m_row->currentData().toInt();
    filter.category.reset();
    filter.track.reset();
    filter.process.reset();
    if (category != kAll) {
        filter.category = static_cast<trace::CategoryId>(category);
    }
    if (row >= 0) {
        filter.track = static_cast<trace::TrackId>(row);
    } else if (row != kAll) {
        filter.process = static_cast<std::uint32_t>(-2 - row);
    }
    filter.time = static_cast<session::FindTime>(m_time->currentIndex());
    m_find.setFilter(filter);
}

void FindPanel::tellFigures() {
    m_table->setEmptyText(emptyText());
    m_work.setBusy(busy());
    if (m_work.isLong()) {
        m_figures->setSentence(m_find.busy() ? tr("searching…") : tr("sorting…"));
    } else if (!m_find.error().isEmpty()) {
        m_figures->setSentence(m_find.error(), true);
    } else if (m_find.count() == 0) {
        m_figures->setSentence({});
    } else {
        const stats::DurationSummary& all = m_find.result()->durations;
        m_figures->setFigures({{QString(), tr("%1 found").arg(number(all.count))},
                               timeFigure(tr("sum"), all.total),
                               timeFigure(tr("mean"), all.mean),
                               timeFigure(tr("min"), all.min),
                               timeFigure(tr("median"), all.median),
                               timeFigure(tr("max"), all.max)});
    }
}

QString FindPanel::emptyText() const {
    if (!m_view.trace()) {
        return tr("Open a trace to search in it.");
    }
    if (m_find.text().isEmpty()) {
        return tr(
            "Slices whose names contain this text are listed here; /…/ is a regular expression.");
    }
    if (!m_find.result()) {
        return {};
    }
    return m_find.result()->matches->empty() ? tr("No slice name contains this.")
                                             : tr("The filters hide all %1 slices that match.")
                                                   .arg(number(m_find.result()->matches->size()));
}

void FindPanel::goTo(const QModelIndex& row) {
    if (!m_refreshing && row.isValid()) {
        m_find.choose(m_model.hit(row.row()));
    }
}

void FindPanel::showChosen() {
    const int row = m_model.rowOf(m_find.chosen());
    m_refreshing = true;
    if (row < 0) {
        m_table->clearSelection();
    } else if (m_table->currentIndex().row() != row || !m_table->selectionModel()->hasSelection()) {
        const QModelIndex chosen = m_model.index(row, 0);
        const QRect place = m_table->visualRect(chosen);
        m_table->selectRow(row);
        // In the middle, as the panel may just have come to the front and still change its size.
        if (place.top() < 0 || place.bottom() >= m_table->viewport()->height()) {
            m_table->scrollTo(chosen, QAbstractItemView::PositionAtCenter);
        }
    }
    m_refreshing = false;
}

bool FindPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            m_find.step(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_text->clear();
            return true;
        }
    }
    return Panel::eventFilter(watched, event);
}

void FindPanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        tellFigures();
    }
}

}  // namespace kinetoscope::panels
