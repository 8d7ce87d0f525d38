// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/memory/BlockMap.h"

#include <QEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/Threads.h"
#include "widgets/panels/memory/BlockMapSizes.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/SliceColors.h"

namespace kinetoscope::panels {

using memory::Purpose;
using memory::view::Area;
using memory::view::BlockStacks;

namespace {

constexpr double kUntoldStrength = 0.7;  // of the colour of what has no place

}  // namespace

BlockMap::BlockMap(QWidget* parent)
    : QWidget(parent), m_task([this](Result<Drawn> drawn) { take(std::move(drawn)); }) {
    setObjectName(QStringLiteral("blockMap"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Blocks of memory over time"));
    setWhatsThis(
        tr("Allocated memory over time: each band is a block from allocation to free, stacked on "
           "older blocks; the dashed line is what the allocator had reserved. Click to select a "
           "block and the moment shown in the tables. The wheel zooms time, Ctrl+wheel the height; "
           "dragging pans; double-click shows everything; W A S D work too."));
}

const BlockStacks* BlockMap::stacks() const {
    return m_memory ? m_memory->stacks[m_device].get() : nullptr;
}

void BlockMap::setMemory(const Memory& memory, std::size_t device) {
    if (memory == m_memory && device == m_device) {
        return;
    }
    m_task.cancel();
    m_memory = memory;
    m_device = device;
    m_picture = {};
    m_image = {};
    m_moment.reset();
    m_look.block = memory::kNoBlock;
    m_places.clear();
    makeColors();
    fitHeight();
    request();
    update();
}

void BlockMap::setEmptyText(const QString& text) {
    m_emptyText = text;
    update();
}

void BlockMap::setTime(TimeSpan time) {
    if (!time.empty() && time != m_time) {
        m_time = time;
        request();
        update();
    }
}

void BlockMap::setHeight(std::int64_t bottom, std::int64_t top) {
    constexpr std::int64_t kLeast = 1024;  // bytes: two of the smallest blocks
    const std::int64_t whole = stacks() != nullptr ? stacks()->height() : 1;
    const std::int64_t most = std::max<std::int64_t>(kLeast, whole + whole / 16);
    const std::int64_t height = std::clamp<std::int64_t>(top - bottom, kLeast, most);
    m_bottom = std::clamp<std::int64_t>(bottom, 0, most - height);
    m_top = m_bottom + height;
    request();
    update();
}

// All of it, but where far more is reserved than ever was used: then what is used.
void BlockMap::fitHeight() {
    constexpr std::int64_t kFar = 3;
    std::int64_t top = std::numeric_limits<std::int64_t>::max();
    if (m_memory) {
        const std::int64_t peak = m_memory->report->devices[m_device].peakAllocated;
        top = peak > 0 && peak < stacks()->height() / kFar ? peak + peak / 16 : top;
    }
    setHeight(0, top);
}

void BlockMap::setRange(std::optional<TimeSpan> range) {
    m_range = range;
    update();
}

void BlockMap::setMoment(std::optional<Moment> moment) {
    m_moment = moment;
    update();
}

void BlockMap::setBlock(std::uint32_t block) {
    m_look.block = block;
    makeImage();
}

void BlockMap::setPlaces(std::vector<bool> places) {
    m_places = std::move(places);
    makeColors();
    makeImage();
}

void BlockMap::setColors(Colors colors) {
    m_colors = colors;
    makeColors();
    makeImage();
}

QColor BlockMap::purposeColor(Purpose purpose) {
    const style::Theme& theme = style::Theme::current();
    switch (purpose) {
        case Purpose::Parameters:
            return theme.mmConv();
        case Purpose::Activations:
            return theme.compute();
        case Purpose::Gradients:
            return theme.communication();
        case Purpose::OptimizerState:
            return theme.copies();
        case Purpose::Other:
            return theme.mutedText();
        case Purpose::Untold:
            break;
    }
    return theme.idle();
}

void BlockMap::makeColors() {
    const style::Theme& theme = style::Theme::current();
    m_look.fills.clear();
    m_look.surface = theme.base().rgb();
    m_look.untold = timeline::mixRgb(m_look.surface, theme.idle().rgb(), kUntoldStrength);
    m_look.selection = theme.selection().rgb();
    if (!m_memory) {
        return;
    }
    const memory::History& history = m_memory->history();
    constexpr double kFaint = 0.22;
    for (std::size_t i = 0; i < history.places.size(); ++i) {
        const memory::Place& place = history.places[i];
        QColor color = purposeColor(place.purpose);
        if (m_colors == Colors::Place && i > 0) {
            color = theme.nameColor(colorName(history, static_cast<memory::PlaceId>(i)));
        }
        const bool faint = !m_places.empty() && !m_places[i];
        m_look.fills.push_back(faint ? timeline::mixRgb(m_look.surface, color.rgb(), kFaint)
                                     : color.rgb());
    }
}

QRect BlockMap::plot() const {
    return {kScale, kRuler, std::max(1, width() - kScale), std::max(1, height() - kRuler)};
}

timeline::TimeCoordinates BlockMap::coordinates() const {
    return {m_time, static_cast<double>(kScale), static_cast<double>(plot().width())};
}

double BlockMap::y(std::int64_t bytes) const {
    const QRect area = plot();
    return area.bottom() + 1 -
           static_cast<double>(bytes - m_bottom) * area.height() /
               static_cast<double>(m_top - m_bottom);
}

Area BlockMap::wantedArea() const {
    const QRect area = plot();
    return {m_time, m_bottom, m_top,
            static_cast<int>(std::lround(area.width() * devicePixelRatioF())),
            static_cast<int>(std::lround(area.height() * devicePixelRatioF()))};
}

// One at a time: an outdated picture is shown stretched, which is better than none during a
// gesture.
void BlockMap::request() {
    if (!m_memory || m_task.busy() || m_picture.area == wantedArea()) {
        return;
    }
    m_task.start([memory = m_memory, device = m_device, look = m_look,
                  area = wantedArea()](const std::stop_token& stop) -> Result<Drawn> {
        return guarded([&]() -> Result<Drawn> {
            Drawn drawn{memory->stacks[device]->draw(area, stop), {}, look.number};
            drawn.image = imageOf(drawn.picture, memory->device(device).blocks, look);
            return drawn;
        });
    });
    emit busyChanged();
}

void BlockMap::take(Result<Drawn> drawn) {
    if (drawn) {
        m_picture = std::move(drawn->picture);
        m_image = std::move(drawn->image);
        if (drawn->look != m_look.number) {  // it was chosen meanwhile
            makeImage();
        }
        update();
        request();
    }
    emit busyChanged();
}

void BlockMap::resizeEvent(QResizeEvent* /*event*/) {
    request();
}

void BlockMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        makeColors();
        makeImage();
    }
}

std::uint32_t BlockMap::blockAt(QPoint at) const {
    const Area& area = m_picture.area;
    if (m_picture.cells.empty() || !plot().contains(at)) {
        return memory::kNoBlock;
    }
    const timeline::TimeCoordinates drawn(area.time, 0.0, area.columns);
    const double height = static_cast<double>(m_top - m_bottom) / plot().height();
    const double bytes = static_cast<double>(m_bottom) + (plot().bottom() + 0.5 - at.y()) * height;
    const int column = static_cast<int>(std::floor(drawn.x(coordinates().time(at.x() + 0.5))));
    const int row =
        static_cast<int>(std::floor((bytes - static_cast<double>(area.bottom)) * area.rows /
                                    static_cast<double>(area.top - area.bottom)));
    if (column < 0 || column >= area.columns || row < 0 || row >= area.rows) {
        return memory::kNoBlock;
    }
    const std::uint32_t cell = m_picture.cell(column, row);
    return cell == memory::view::kUntold ? memory::kNoBlock : cell;
}

}  // namespace kinetoscope::panels
