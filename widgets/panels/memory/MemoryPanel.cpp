// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/memory/MemoryPanel.h"

#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/memory/MemoryTables.h"
#include "core/memory/TraceHistory.h"
#include "widgets/models/Text.h"
#include "widgets/panels/memory/MemoryChoices.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

constexpr int kMapWidth = 700;
constexpr int kMinMapWidth = 380;
constexpr int kTableWidth = 700;

}  // namespace

MemoryPanel::MemoryPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_task([this](Result<Memory> memory) { take(std::move(memory)); }),
      m_map(new BlockMap),
      m_tables(new MemoryTables),
      m_devices(new QComboBox),
      m_by(makeGroupChoice(*m_tables)),
      m_colors(makeColorChoice(*m_map)),
      m_state(new QLabel),
      m_filter(new QLineEdit) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    m_map->setMinimumWidth(kMinMapWidth);
    layout->addWidget(sideBySide({m_map, kMapWidth}, {m_tables, kTableWidth}, GrowingPane::Left),
                      1);
    connectView();
    connectParts();
    showDevice();
}

QWidget* MemoryPanel::makeToolBar() {
    m_devices->setObjectName(QStringLiteral("device"));
    m_devices->setToolTip(tr("Whose memory is shown"));
    m_state->setObjectName(QStringLiteral("state"));
    return makeTableBar(
        {.choices = {m_devices, titleOf(m_colors, tr("Colours by")), m_colors,
                     titleOf(m_by, tr("Rows by")), m_by, new timeline::SelectionChip(m_view, this)},
         .state = m_state,
         .filter = m_filter,
         .hint = tr("Filter the tables")},
        this);
}

void MemoryPanel::connectView() {
    connect(&m_view, &session::ViewState::traceChanged, this, &MemoryPanel::forget);
    connect(&m_view, &session::ViewState::traceGrown, this, &MemoryPanel::start);
    connect(&m_view, &session::ViewState::visibleChanged, this, &MemoryPanel::followView);
    connect(&m_view, &session::ViewState::rangeChanged, this, [this] {
        followView();
        showPeak();
    });
}

void MemoryPanel::connectParts() {
    connect(m_devices, &QComboBox::currentIndexChanged, this, &MemoryPanel::showDevice);
    connect(m_filter, &QLineEdit::textChanged, m_tables, &MemoryTables::setFilter);
    connect(m_map, &BlockMap::timeWanted, this, [this](qint64 start, qint64 end) {
        const TimeNs base = m_memory->history().startNs;
        m_view.setVisible({start + base, end + base});
    });
    connect(m_map, &BlockMap::fitWanted, this, [this] { m_view.fit(); });
    connect(m_map, &BlockMap::clicked, this, [this](quint32 moment, quint32 block) {
        const TimeNs time = m_memory->stacks[device()]->timeOf(moment);
        m_map->setMoment(moment);
        m_tables->setMoment(moment == 0 ? memory::kBefore : moment - 1,
                            tr("At %1").arg(models::toText(memory::momentWords(time))));
        m_map->setPlaces({});
        selectBlock(block, false);
    });
    connect(m_tables, &MemoryTables::placesChosen, this,
            [this](const std::vector<bool>& places, quint32 block) {
                m_map->setPlaces(places);
                selectBlock(block, false);
            });
    connect(m_tables, &MemoryTables::blockChosen, this, [this](quint32 block) {
        m_map->setPlaces({});
        selectBlock(block, false);
    });
    connect(m_tables, &MemoryTables::blockActivated, this,
            [this](quint32 block) { selectBlock(block, true); });
    connect(m_tables, &MemoryTables::outOfMemoryChosen, this, [this](quint32 row) {
        const TimeNs time = m_memory->device(device()).outOfMemory[row].time;
        m_view.reveal(
            TimeSpan{time + m_memory->history().startNs, time + m_memory->history().startNs + 1});
    });
}

const models::ColumnTableModel* MemoryPanel::table() const {
    QString title;
    return m_tables->tableInFront(&title);
}

void MemoryPanel::setInFront(bool inFront) {
    m_inFront = inFront;
    start();
}

void MemoryPanel::forget() {
    m_task.cancel();
    m_trace.reset();
    m_memory.reset();
    m_error.clear();
    m_devices->clear();
    showDevice();
    start();
}

// Of a trace that grows, from what is there whenever the last one is done.
void MemoryPanel::start() {
    const auto& trace = m_view.trace();
    if (!m_inFront || !trace || trace == m_trace || m_task.busy()) {
        return;
    }
    m_trace = trace;
    m_task.start([trace](const std::stop_token& stop) -> Result<Memory> {
        auto history = memory::historyOf(*trace, stop);
        if (!history) {
            return tl::unexpected(history.error());
        }
        return guarded([&]() -> Result<Memory> { return showMemory(std::move(*history)); });
    });
    tellState();
}

void MemoryPanel::take(Result<Memory> memory) {
    m_error = memory ? QString() : QString::fromStdString(memory.error().message);
    m_memory = memory ? *memory : nullptr;
    {
        const QSignalBlocker quiet(m_devices);
        const QString before = m_devices->currentText();
        m_devices->clear();
        for (std::size_t i = 0; m_memory && i < m_memory->stacks.size(); ++i) {
            m_devices->addItem(models::toText(m_memory->device(i).name));
        }
        m_devices->setCurrentIndex(std::max(0, m_devices->findText(before)));
    }
    showDevice();
    start();
}

void MemoryPanel::showDevice() {
    const bool has = m_memory && device() < m_memory->stacks.size();
    m_map->setMemory(has ? m_memory : nullptr, has ? device() : 0);
    m_tables->setMemory(has ? m_memory : nullptr, has ? device() : 0);
    m_devices->setVisible(m_devices->count() > 1);
    followView();
    showPeak();
    tellState();
}

TimeSpan MemoryPanel::own(TimeSpan span) const {
    const TimeNs base = m_memory->history().startNs;
    return {span.start - base, span.end - base};
}

void MemoryPanel::followView() {
    if (!m_memory) {
        return;
    }
    m_map->setTime(own(m_view.visible()));
    const auto range = m_view.selectedRange();
    m_map->setRange(range ? std::optional(own(*range)) : std::nullopt);
}

// Of the selected time, else of all.
void MemoryPanel::showPeak() {
    if (!m_memory || m_memory->stacks.empty()) {
        return;
    }
    const memory::DeviceReport& report = m_memory->report->devices[device()];
    const auto range = m_view.selectedRange();
    const std::uint32_t event =
        range ? memory::peakWithin(m_memory->device(device()), own(*range)) : report.peakEvent;
    m_map->setMoment(event == memory::kBefore ? 0 : event + 1);
    m_tables->setMoment(event, range ? tr("At the peak of the selection") : tr("At the peak"));
}

void MemoryPanel::tellState() {
    m_map->setEmptyText(emptyText());
    QString text;
    QString tip;
    if (m_task.busy()) {
        text = tr("reading [memory] events…");
    } else if (m_memory && !m_memory->stacks.empty()) {
        const memory::DeviceReport& report = m_memory->report->devices[device()];
        text = tr("peak %1 · reserved %2 · never freed %3")
                   .arg(bytesText(report.peakAllocated), bytesText(report.peakReserved),
                        bytesText(report.neverFreedBytes));
        for (const std::string& line : memory::deviceSummary(*m_memory->report, report)) {
            tip += models::toText(line) + QLatin1Char('\n');
        }
    }
    m_state->setText(text);
    m_state->setToolTip(style::plainToolTip(tip.trimmed()));
}

QString MemoryPanel::emptyText() const {
    if (!m_view.trace()) {
        return tr(
            "Open a trace with [memory] events (profile_memory=True) to see what used its memory.");
    }
    return m_task.busy() ? QString() : style::shownText(m_error);
}

void MemoryPanel::selectBlock(std::uint32_t block, bool goes) {
    m_map->setBlock(block);
    if (!m_memory || block == memory::kNoBlock) {
        return;
    }
    const memory::Device& shown = m_memory->device(device());
    const std::uint32_t event = shown.blocks[block].from;
    if (event == memory::kBefore) {
        return;
    }
    const session::Selection selection = session::SelectedInstant{shown.instants[event]};
    m_view.setSelection(selection);
    if (goes) {
        m_view.reveal(selection);
    }
}

}  // namespace kinetoscope::panels
