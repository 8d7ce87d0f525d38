// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/snapshot/SnapshotView.h"

#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/Threads.h"
#include "core/memory/MemoryTables.h"
#include "widgets/models/Text.h"
#include "widgets/panels/memory/MemoryChoices.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::snapshot {

using memory::view::BlockStacks;
using panels::blockText;
using panels::bytesText;
using panels::GrowingPane;
using panels::makeTableBar;
using panels::sideBySide;
using panels::stackText;
using panels::titleOf;

namespace {

constexpr std::size_t kMaxCalls = 512;
constexpr int kWordsWidth = 340;
constexpr int kWordsMargin = 10;
constexpr TimeNs kShortest = 1000;  // events have microseconds
constexpr double kRoom = 0.02;      // beside the events
constexpr double kAround = 2.0;     // of a block's life, on both sides

TimeSpan fitted(const BlockStacks& stacks) {
    const TimeSpan extent = stacks.extent();
    const auto room = std::max<TimeNs>(
        kShortest, static_cast<TimeNs>(kRoom * static_cast<double>(extent.duration())));
    return {extent.start - room, addTime(extent.end, room)};
}

}  // namespace

SnapshotView::SnapshotView(Memory memory, QWidget* parent)
    : JobPage(parent),
      m_memory(std::move(memory)),
      m_comparing([this](Result<Comparison> made) { takeComparison(std::move(made)); }),
      m_map(new BlockMap),
      m_segments(new SegmentMap),
      m_tables(new MemoryTables),
      m_pictures(new QTabWidget),
      m_words(new QPlainTextEdit),
      m_devices(new QComboBox),
      m_colors(panels::makeColorChoice(*m_map)),
      m_by(panels::makeGroupChoice(*m_tables)),
      m_compare(new QComboBox),
      m_state(new QLabel),
      m_filter(new QLineEdit) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    m_pictures->setObjectName(QStringLiteral("pictures"));
    m_pictures->setDocumentMode(true);
    m_pictures->addTab(m_map, tr("Over time"));
    m_pictures->addTab(m_segments, tr("Segments"));
    m_words->setObjectName(QStringLiteral("words"));
    m_words->setReadOnly(true);
    m_words->setFrameShape(QFrame::NoFrame);
    m_words->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_words->document()->setDocumentMargin(kWordsMargin);
    m_words->setPlaceholderText(tr("Click a block to see its size, lifetime and stack."));
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(sideBySide({m_pictures, 1000}, {m_words, kWordsWidth}, GrowingPane::Left));
    parts->addWidget(m_tables);
    parts->setSizes({560, 280});
    parts->setStretchFactor(0, 1);
    layout->addWidget(parts, 1);
    setFocusProxy(m_map);
    connectParts();
    for (std::size_t i = 0; i < m_memory->stacks.size(); ++i) {
        m_devices->addItem(models::toText(m_memory->device(i).name));
    }
    m_devices->setVisible(m_devices->count() > 1);
    setOthers({});
    showDevice();
}

QWidget* SnapshotView::makeBar() {
    m_devices->setObjectName(QStringLiteral("device"));
    m_devices->setToolTip(tr("Whose memory is shown"));
    m_compare->setObjectName(QStringLiteral("baseline"));
    m_compare->setToolTip(
        tr("Another open snapshot to compare with: what each allocation site holds at the end of "
           "both"));
    m_state->setObjectName(QStringLiteral("state"));
    return makeTableBar({.choices = {m_devices, titleOf(m_colors, tr("Colours by")), m_colors,
                                     titleOf(m_by, tr("Rows by")), m_by,
                                     titleOf(m_compare, tr("Compare with")), m_compare},
                         .state = m_state,
                         .filter = m_filter,
                         .hint = tr("Filter the tables")},
                        this);
}

void SnapshotView::connectParts() {
    connect(m_devices, &QComboBox::currentIndexChanged, this, &SnapshotView::showDevice);
    connect(m_compare, &QComboBox::currentIndexChanged, this, &SnapshotView::compare);
    connect(m_filter, &QLineEdit::textChanged, m_tables, &MemoryTables::setFilter);
    connect(m_map, &BlockMap::timeWanted, this, [this](qint64 start, qint64 end) {
        setTime({start, end});
    });
    connect(m_map, &BlockMap::fitWanted, this, &SnapshotView::fit);
    connect(m_map, &BlockMap::clicked, this, [this](quint32 moment, quint32 block) {
        m_map->setPlaces({});
        showMoment(moment);
        selectBlock(block);
    });
    connect(m_segments, &SegmentMap::blockClicked, this, [this](quint64 address) {
        const std::vector<memory::Block>& blocks = m_memory->device(device()).blocks;
        const auto found = std::ranges::find_if(blocks, [&](const memory::Block& block) {
            return block.address == address && block.to == memory::kNever;
        });
        selectBlock(found == blocks.end() ? memory::kNoBlock
                                          : static_cast<std::uint32_t>(found - blocks.begin()));
    });
    connect(m_tables, &MemoryTables::placesChosen, this,
            [this](const std::vector<bool>& places, quint32 block) {
                m_map->setPlaces(places);
                selectBlock(block);
            });
    connect(m_tables, &MemoryTables::blockChosen, this, [this](quint32 block) {
        m_map->setPlaces({});
        selectBlock(block);
    });
    connect(m_tables, &MemoryTables::blockActivated, this, &SnapshotView::goTo);
    connect(m_tables, &MemoryTables::outOfMemoryChosen, this, [this](quint32 row) {
        const memory::OutOfMemory& event = m_memory->device(device()).outOfMemory[row];
        const TimeNs half = m_map->time().duration() / 2;
        setTime({event.time - half, event.time + half});
        showMoment(stacks()->momentAt(event.time));
        m_words->setPlainText(tr("Out of memory: requested %1\n\n%2")
                                  .arg(bytesText(event.requested),
                                       stackText(m_memory->history(), event.place, kMaxCalls)));
    });
}

const BlockStacks* SnapshotView::stacks() const {
    return device() < m_memory->stacks.size() ? m_memory->stacks[device()].get() : nullptr;
}

void SnapshotView::showDevice() {
    const bool has = stacks() != nullptr;
    m_map->setMemory(has ? m_memory : nullptr, device());
    m_map->setEmptyText(tr("The snapshot has no data of any device."));
    m_segments->setMemory(has ? m_memory : nullptr, device());
    m_tables->setMemory(has ? m_memory : nullptr, device());
    m_words->clear();
    if (has) {
        fit();
        const std::uint32_t peak = m_memory->report->devices[device()].peakEvent;
        m_map->setMoment(peak == memory::kBefore ? 0 : peak + 1);
    }
    tellState();
}

// Not beyond what fit() shows.
void SnapshotView::setTime(TimeSpan time) {
    if (stacks() == nullptr) {
        return;
    }
    const TimeSpan whole = fitted(*stacks());
    const TimeNs length = std::clamp(time.duration(), kShortest, whole.duration());
    const TimeNs middle = time.start + time.duration() / 2;
    const TimeNs start = std::clamp(time.duration() == length ? time.start : middle - length / 2,
                                    whole.start, whole.end - length);
    m_map->setTime({start, start + length});
}

void SnapshotView::fit() {
    if (stacks() != nullptr) {
        m_map->setTime(fitted(*stacks()));
        m_map->fitHeight();
    }
}

void SnapshotView::zoom(double factor) {
    const TimeSpan time = m_map->time();
    const TimeNs middle = time.start + time.duration() / 2;
    const auto half = static_cast<TimeNs>(static_cast<double>(time.duration()) * factor / 2);
    setTime({middle - half, middle + half});
}

void SnapshotView::showMoment(BlockMap::Moment moment) {
    m_map->setMoment(moment);
    m_tables->setMoment(
        moment == 0 ? memory::kBefore : moment - 1,
        tr("At %1").arg(models::toText(memory::momentWords(stacks()->timeOf(moment)))));
}

void SnapshotView::selectBlock(std::uint32_t block) {
    m_map->setBlock(block);
    m_words->setPlainText(
        block == memory::kNoBlock ? QString() : blockText(*m_memory, device(), block, kMaxCalls));
}

// Its whole life, and where it lies in the stack when it begins.
void SnapshotView::goTo(std::uint32_t block) {
    const memory::Block& one = m_memory->device(device()).blocks[block];
    const memory::view::Moment begin = one.from == memory::kBefore ? 0 : one.from + 1;
    const TimeSpan life{stacks()->timeOf(begin), one.to == memory::kNever
                                                     ? stacks()->extent().end
                                                     : stacks()->timeOf(one.to + 1)};
    const auto room =
        static_cast<TimeNs>(kAround * static_cast<double>(std::max(kShortest, life.duration())));
    m_pictures->setCurrentWidget(m_map);
    setTime({life.start - room, life.end + room});
    const std::int64_t offset = stacks()->offsetAt(block, begin);
    m_map->setHeight(offset - 8 * one.bytes, offset + 9 * one.bytes);
    selectBlock(block);
}

void SnapshotView::setOthers(std::vector<Other> others) {
    const QSignalBlocker quiet(m_compare);
    m_others = std::move(others);
    m_compare->clear();
    m_compare->addItem(tr("nothing"));
    int chosen = 0;
    for (const Other& other : m_others) {
        m_compare->addItem(other.title);
        chosen = other.memory == m_baseline ? m_compare->count() - 1 : chosen;
    }
    m_compare->setCurrentIndex(chosen);
    m_compare->setEnabled(!m_others.empty());
    if (chosen == 0 && m_baseline) {
        compare(0);
    }
}

void SnapshotView::compare(int index) {
    m_comparing.cancel();
    m_baseline = index > 0 ? m_others[static_cast<std::size_t>(index) - 1].memory : nullptr;
    if (!m_baseline) {
        m_tables->setComparison(nullptr, {});
        return;
    }
    m_comparing.start([baseline = m_baseline, candidate = m_memory](const std::stop_token&) {
        return guarded([&]() -> Result<Comparison> {
            return std::make_shared<const memory::MemoryComparison>(
                memory::compareMemory(*baseline->report, *candidate->report));
        });
    });
}

void SnapshotView::takeComparison(Result<Comparison> made) {
    if (!made) {
        emit failed(QString::fromStdString(made.error().message));
        return;
    }
    m_tables->setComparison(*made, tr("Changes since %1").arg(m_compare->currentText()));
    QStringList lines;
    for (const std::vector<std::string>& row : memory::totalsTable(**made).rows) {
        lines.append(tr("%1, %2: %3 → %4 (%5)")
                         .arg(models::toText(row[0]), models::toText(row[1]),
                              models::toText(row[2]), models::toText(row[3]),
                              models::toText(row[4])));
    }
    if ((*made)->changes.empty()) {
        lines.append(tr("Every allocation site holds the same at the end of both."));
    }
    m_words->setPlainText(lines.join(QLatin1Char('\n')));
}

QStringList SnapshotView::summary() const {
    if (stacks() == nullptr) {
        return {tr("no device")};
    }
    const memory::DeviceReport& report = m_memory->report->devices[device()];
    QStringList lines{tr("peak %1 · reserved %2 · never freed %3")
                          .arg(bytesText(report.peakAllocated), bytesText(report.peakReserved),
                               bytesText(report.neverFreedBytes))};
    for (const std::string& line : memory::deviceSummary(*m_memory->report, report)) {
        lines.append(models::toText(line));
    }
    return lines;
}

void SnapshotView::tellState() {
    const QStringList lines = summary();
    m_state->setText(lines.front());
    m_state->setToolTip(style::plainToolTip(lines.mid(1).join(QLatin1Char('\n'))));
}

job::JobPage::Choices SnapshotView::choices() const {
    return {m_colors->currentIndex() == 0 ? QStringLiteral("place") : QStringLiteral("purpose"),
            static_cast<std::uint64_t>(m_by->currentIndex()), static_cast<std::uint64_t>(device())};
}

// Settings that no longer fit the file are ignored.
void SnapshotView::setChoices(const Choices& choices) {
    const auto choose = [](QComboBox* box, std::uint64_t index) {
        if (index < static_cast<std::uint64_t>(box->count())) {
            box->setCurrentIndex(static_cast<int>(index));
        }
    };
    m_colors->setCurrentIndex(choices.figure == QLatin1String("purpose") ? 1 : 0);
    choose(m_by, choices.order);
    choose(m_devices, choices.groups);
}

bool SnapshotView::selectAnswer(const QString& text) {
    if (stacks() == nullptr) {
        return false;
    }
    const memory::History& history = m_memory->history();
    for (const memory::PlaceSum& sum : m_memory->report->devices[device()].atPeak) {
        const QString words = models::toText(memory::operationWords(history, sum.place)) +
                              QLatin1Char('\n') +
                              models::toText(memory::lineWords(history, sum.place));
        if (sum.largest != memory::kNoBlock && words.contains(text, Qt::CaseInsensitive)) {
            selectBlock(sum.largest);
            return true;
        }
    }
    return false;
}

QWidget* SnapshotView::part(const QString& name) const {
    return name == QLatin1String("blocks")     ? m_map
           : name == QLatin1String("segments") ? static_cast<QWidget*>(m_segments)
           : name == QLatin1String("tables")   ? m_tables
                                               : nullptr;
}

}  // namespace kinetoscope::snapshot
