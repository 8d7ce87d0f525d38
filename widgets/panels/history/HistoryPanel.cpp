// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/history/HistoryPanel.h"

#include <QFileDialog>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/SaturatedTime.h"
#include "core/baseline/BaselineOutput.h"
#include "core/baseline/HistoryOutput.h"
#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/session/paths/FilePath.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

using baseline::HistorySeries;
using models::Field;
using models::toText;

constexpr int kHistoryTableWidth = 620;
constexpr int kHistoryChartWidth = 520;
constexpr int kSeriesNameWidth = 360;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

QString durationText(double ns) {
    return toText(text::formatDuration(saturatedTime(ns)));
}

/// Against the first entry.
double changeOf(const HistorySeries& series) {
    const double first = series.points.front().valueNs;
    return first > 0.0 ? 100.0 * (series.points.back().valueNs / first - 1.0) : kNoNumber;
}

QString percentOrNothing(double percent) {
    return std::isnan(percent) ? QString() : QString::asprintf("%+.1f %%", percent);
}

}  // namespace

HistoryPanel::HistoryPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_session(context.session),
      m_settings(context.settings),
      m_model(fields(), 0),
      m_table(new DataTable(m_model)),
      m_chart(new plots::HistoryChart),
      m_names(new QComboBox),
      m_store(new QToolButton),
      m_state(new QLabel),
      m_filter(new QLineEdit),
      m_task([this](Result<Found> found) { take(std::move(found)); }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(sideBySide({m_table, kHistoryTableWidth}, {m_chart, kHistoryChartWidth},
                                 GrowingPane::Right),
                      1);
    m_table->setObjectName(QStringLiteral("historyRows"));
    m_table->setWidest(0, kSeriesNameWidth);
    m_chart->setObjectName(QStringLiteral("historyChart"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &HistoryPanel::draw);
    connect(m_chart, &plots::HistoryChart::dotClicked, this, &HistoryPanel::open);
    take(Found());
}

QWidget* HistoryPanel::makeToolBar() {
    m_names->setObjectName(QStringLiteral("baseline"));
    m_names->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_names->setToolTip(tr("The baseline whose entries are shown"));
    m_store->setObjectName(QStringLiteral("store"));
    m_store->setText(tr("Store…"));
    m_state->setObjectName(QStringLiteral("state"));
    connect(m_names, &QComboBox::activated, this,
            [this](int row) { load(m_found.names[static_cast<std::size_t>(row)]); });
    connect(m_store, &QToolButton::clicked, this, &HistoryPanel::chooseStore);
    connect(m_filter, &QLineEdit::textChanged, &m_model, &models::FieldModel::setFilter);
    return makeTableBar({.choices = {titleOf(m_names, tr("Baseline")), m_names, m_store},
                         .state = m_state,
                         .filter = m_filter,
                         .hint = tr("Filter by name")},
                        this);
}

QString HistoryPanel::store() const {
    const QString chosen = m_settings.baselineStore.value();
    return chosen.isEmpty() ? session::decodedPath(baseline::BaselineStore::defaultFolder())
                            : chosen;
}

void HistoryPanel::chooseStore() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of baselines"), store());
    if (!folder.isEmpty()) {
        openStore(folder);
    }
}

void HistoryPanel::openStore(const QString& folder) {
    m_settings.baselineStore.set(folder);
    load({});
}

void HistoryPanel::setInFront(bool inFront) {
    if (inFront) {
        load(m_found.name);
    }
}

void HistoryPanel::load(const std::string& name) {
    m_store->setToolTip(style::plainToolTip(tr("Baselines are stored in %1").arg(store())));
    m_task.start([folder = session::encodedPath(store()),
                  name](const std::stop_token& stop) -> Result<Found> {
        const baseline::BaselineStore store(folder);
        auto names = store.names();
        if (!names) {
            return tl::unexpected(names.error());
        }
        Found found{std::move(*names), {}, nullptr, {}};
        if (found.names.empty()) {
            return found;
        }
        const bool isThere = std::ranges::find(found.names, name) != found.names.end();
        found.name = isThere ? name : found.names.front();
        baseline::HistoryOptions options;
        options.stop = stop;
        auto history = baseline::loadHistory(store, found.name, options);
        if (history) {
            found.history = std::make_shared<const baseline::History>(std::move(*history));
        } else {
            found.problem = history.error().message;
        }
        return found;
    });
}

void HistoryPanel::take(Result<Found> found) {
    const std::string before = series() == nullptr ? std::string() : series()->name;
    m_found = found ? std::move(*found) : Found{{}, {}, nullptr, found.error().message};
    const QSignalBlocker quiet(m_names);
    m_names->clear();
    for (const std::string& name : m_found.names) {
        m_names->addItem(style::shownText(toText(name)));
    }
    m_names->setCurrentText(toText(m_found.name));
    m_names->setEnabled(m_found.names.size() > 1);
    const auto* history = m_found.history.get();
    m_state->setText(style::shownText(
        history == nullptr ? QString() : toText(baseline::historyTitle(*history))));
    m_table->setEmptyText(
        !m_found.problem.empty()
            ? style::shownText(toText(m_found.problem))
            : tr("No baselines in %1. kscope baseline save NAME FILE makes one.").arg(store()));
    m_model.setFields(fields(), history == nullptr ? 0 : history->series.size());
    int row = 0;
    for (int i = 0; history != nullptr && i < m_model.rowCount(); ++i) {
        row = history->series[m_model.sourceRow(i)].name == before ? i : row;
    }
    if (m_model.rowCount() > 0) {
        m_table->selectRow(row);
    }
    draw();
}

std::vector<Field> HistoryPanel::fields() const {
    const auto of = [history = m_found.history](std::uint32_t row) -> const HistorySeries& {
        return history->series[row];
    };
    Field latest{models::fieldColumn("latest_ns", tr("Latest"),
                                     tr("In the latest entry that has it"), false),
                 [of](std::uint32_t row) { return durationText(of(row).points.back().valueNs); },
                 [of](std::uint32_t row) { return of(row).points.back().valueNs; }};
    Field change{models::fieldColumn("change_percent", tr("Since first"),
                                     tr("The latest entry relative to the first one shown"), false),
                 [of](std::uint32_t row) { return percentOrNothing(changeOf(of(row))); },
                 [of](std::uint32_t row) { return changeOf(of(row)); }};
    return {models::textField(
                "name", tr("Of"), tr("A kernel, a call, a runner, or the total"),
                [of](std::uint32_t row) { return style::shownText(toText(of(row).name)); }),
            std::move(latest), std::move(change),
            models::textField(
                "change_point", tr("Last change point"),
                tr("Where runs last became faster or slower, by the rule of kscope compare"),
                [of](std::uint32_t row) {
                    const auto& changes = of(row).changes;
                    return changes.empty() ? QString()
                                           : toText(baseline::changeText(changes.back()));
                })};
}

const HistorySeries* HistoryPanel::series() const {
    const QModelIndex current = m_table->currentIndex();
    return m_found.history == nullptr || !current.isValid()
               ? nullptr
               : &m_found.history->series[m_model.sourceRow(current.row())];
}

void HistoryPanel::draw() {
    const HistorySeries* const shown = series();
    std::vector<plots::HistoryDot> dots;
    const text::TimeUnit unit = shown == nullptr ? text::kMilliseconds : baseline::unitOf(*shown);
    for (std::size_t i = 0; shown != nullptr && i < shown->points.size(); ++i) {
        const baseline::HistoryPoint& point = shown->points[i];
        const baseline::Entry& entry = m_found.history->entries[point.entry];
        const stats::ChangePoint* const change = shown->changeAt(i);
        dots.push_back({QStringLiteral("%1: %2\n%3")
                            .arg(toText(entry.recorded), durationText(point.valueNs),
                                 toText(baseline::factsText(entry))),
                        point.valueNs / unit.ns,
                        std::max(point.valueNs - point.lowNs, 0.0) / unit.ns,
                        std::max(point.highNs - point.valueNs, 0.0) / unit.ns,
                        change == nullptr ? QString() : toText(baseline::changeText(*change)),
                        change != nullptr && change->decision.verdict == stats::Verdict::Slower});
    }
    const QString title =
        shown == nullptr ? QString()
                         : QStringLiteral("%1 (%2)").arg(toText(text::shortKernelName(shown->name)),
                                                         QString::fromUtf8(unit.name));
    m_chart->setDots(std::move(dots), title, tr("The selected row of the table is plotted here."));
}

void HistoryPanel::open(int dot) {
    const HistorySeries* const shown = series();
    if (shown == nullptr || static_cast<std::size_t>(dot) >= shown->points.size()) {
        return;
    }
    const std::size_t entry = shown->points[static_cast<std::size_t>(dot)].entry;
    const QString path = session::decodedPath(m_found.history->files[entry].front());
    if (m_found.history->entries[entry].isTrace()) {
        m_session.openTrace(path);
    } else {
        m_session.openResult(path);
    }
}

}  // namespace kinetoscope::panels
